import { describe, expect, it } from 'vitest';
import { readDate } from './options.ts';
import { UsageError } from './report.ts';

describe('readDate', () => {
  it('accepts a day', () => {
    expect(readDate('--from', '2026-02-28')).toBe('2026-02-28');
  });

  it.each(['', '2026-02-29', 'today'])('refuses "%s"', (text) => {
    expect(() => readDate('--to', text)).toThrow(
      new UsageError(`--to is ${text}, expected YYYY-MM-DD`),
    );
  });
});
