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
  ])('for %s wanted connections and %s open files allows %s', (wanted, filesMax, most) => {
    expect(roomFor(wanted, filesMax)).toEqual({ connectionsMax: most, filesMax });
  });

  it('reads the limit of open files of this process, or assumes none', () => {
    expect(roomFor(10_000).filesMax).toBeGreaterThan(100);
  });
});
