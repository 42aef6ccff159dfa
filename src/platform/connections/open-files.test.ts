import { describe, expect, it } from 'vitest';
import { roomFor } from './open-files.ts';

describe('roomFor', () => {
  it.each([
    [10_000, Infinity, 10_000],
    [10_000, 1_048_576, 10_000],
    [10_000, 11_000, 10_000],
    [10_000, 4_096, 3_096],
    [10_000, 1_024, 512],
    [100, 1_024, 100],
  ])('makes of %s connections, where %s files may be open, %s', (wanted, filesMax, most) => {
    expect(roomFor(wanted, filesMax)).toEqual({ connectionsMax: most, filesMax });
  });

  it('reads how many files this process may open, or assumes no limit', () => {
    expect(roomFor(10_000).filesMax).toBeGreaterThan(100);
  });
});
