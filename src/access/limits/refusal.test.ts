import { describe, expect, it } from 'vitest';
import { printRefusal, refuseQuota, refuseRate } from './refusal.ts';

describe('refuseRate', () => {
  it.each([
    ['nothing', 0, 1],
    ['a negative time', -5_000, 1],
    ['a millisecond', 1, 1],
    ['a second', 1_000, 1],
    ['a bit more than a second', 1_001, 2],
    ['a minute', 60_000, 60],
    ['half a second short of a minute', 59_500, 60],
  ])('rounds a wait of %s up to whole seconds, at least 1', (_, ms, seconds) => {
    expect(refuseRate(10, ms).retryAfterSeconds).toBe(seconds);
  });
});

describe('refuseQuota', () => {
  it('has the seconds of the month as its window', () => {
    const month = { startsMs: Date.parse('2026-02-01'), endsMs: Date.parse('2026-03-01') };

    expect(refuseQuota(10, month, 1_001)).toMatchObject({
      windowSeconds: 28 * 86_400,
      retryAfterSeconds: 2,
    });
  });
});

describe('printRefusal (contract C26)', () => {
  it.each([
    ['rate-limit', 'rateLimited', 600, 60],
    ['quota', 'quotaExceeded', 100_000, 2_592_000],
    ['failed-authentication', 'rateLimited', 10, 60],
  ] as const)('prints a refusal by %s as three headers', (policy, kind, limit, windowSeconds) => {
    expect(printRefusal({ kind, policy, limit, windowSeconds, retryAfterSeconds: 12 })).toEqual({
      'retry-after': '12',
      'ratelimit-policy': `"${policy}";q=${limit};w=${windowSeconds}`,
      ratelimit: `"${policy}";r=0;t=12`,
    });
  });
});
