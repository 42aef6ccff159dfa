import { describe, expect, it } from 'vitest';
import { judgeClock } from './clock.ts';

describe('judgeClock', () => {
  it('accepts differences within each tolerance, and says which clock is ahead', () => {
    const readings = [
      { of: 'the database', aheadMs: -5_000, toleranceMs: 5_000 },
      { of: 'ecb', aheadMs: 59_900, toleranceMs: 60_000 },
    ];

    expect(judgeClock(readings)).toEqual({
      check: 'clock',
      state: 'ok',
      found: '5.0 s ahead of the database, 59.9 s behind ecb',
    });
  });

  it.each([5_001, -5_001])('advises NTP if a clock differs by %d ms', (aheadMs) => {
    const finding = judgeClock([{ of: 'redis', aheadMs, toleranceMs: 5_000 }]);

    expect(finding.state).toBe('wrong');
    expect(finding.advice).toContain('NTP');
  });

  it('skips the check if no other clock was read', () => {
    expect(judgeClock([]).state).toBe('skipped');
  });
});
