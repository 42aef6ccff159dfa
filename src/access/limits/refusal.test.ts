import { describe, expect, it } from 'vitest';
import {
  type Allowance,
  findRefusal,
  parseOwnLimit,
  printRefusal,
  toWholeSeconds,
} from './refusal.ts';
import { SlidingWindow } from './sliding-window.ts';

const nowMs = Date.parse('2026-11-20T07:00:00.000Z');
const month = { startsMs: Date.parse('2026-11-01'), endsMs: Date.parse('2026-12-01') };

/** A caller with requests this long ago, in milliseconds. */
function allow(given: Partial<Allowance> & { readonly agesMs?: readonly number[] }): Allowance {
  const { agesMs = [], ...own } = given;
  const recent = new SlidingWindow();
  for (const ageMs of agesMs) recent.add(nowMs - ageMs);
  return { rateLimit: 'none', quota: 'none', recent, usedInMonth: 0, month, ...own };
}

describe('parseOwnLimit (contract C26)', () => {
  it.each([
    ['a number', '600', 600],
    ['no limit', 'none', 'none'],
    ['what the service is set to', 'default', 'default'],
  ])('reads %s: %s', (_, text, limit) => {
    expect(parseOwnLimit(text)).toBe(limit);
  });

  it.each(['', '0', '-1', 'Default', 'null', '1e3'])('refuses %j', (text) => {
    expect(parseOwnLimit(text)).toBeUndefined();
  });
});

describe('findRefusal (contracts C3 and C26)', () => {
  it.each([
    ['nothing is limited', { agesMs: [3, 2, 1], usedInMonth: 9_999_999 }],
    ['one request of the minute is left', { rateLimit: 3, agesMs: [1, 1] }],
    ['what was too much is a minute ago', { rateLimit: 1, agesMs: [60_000] }],
    ['one request of the month is left', { quota: 100, usedInMonth: 99 }],
  ] as const)('refuses nothing when %s', (_, given) => {
    expect(findRefusal(allow(given), nowMs)).toBeUndefined();
  });

  it('refuses at the rate limit until the oldest request is a minute ago', () => {
    const allowance = allow({ rateLimit: 2, agesMs: [47_500, 10_000] });

    expect(findRefusal(allowance, nowMs)).toEqual({
      kind: 'rateLimited',
      policy: 'rate-limit',
      limit: 2,
      windowSeconds: 60,
      retryAfterSeconds: 13,
    });
  });

  it('refuses above a rate limit that was lowered until there is room again', () => {
    const allowance = allow({ rateLimit: 1, agesMs: [50_000, 40_000, 30_000] });

    expect(findRefusal(allowance, nowMs)).toMatchObject({ limit: 1, retryAfterSeconds: 30 });
  });

  it.each([
    ['at', 100],
    ['above', 250],
  ])('refuses %s the quota until the month ends', (_, usedInMonth) => {
    expect(findRefusal(allow({ quota: 100, usedInMonth }), nowMs)).toEqual({
      kind: 'quotaExceeded',
      policy: 'quota',
      limit: 100,
      windowSeconds: 30 * 86_400,
      retryAfterSeconds: 10 * 86_400 + 17 * 3_600,
    });
  });

  it('tells the rate limit where both are reached', () => {
    const allowance = allow({ rateLimit: 1, agesMs: [1], quota: 1, usedInMonth: 1 });

    expect(findRefusal(allowance, nowMs)).toMatchObject({ kind: 'rateLimited' });
  });

  it('tells the quota where there is room in the minute', () => {
    const allowance = allow({ rateLimit: 2, agesMs: [1], quota: 1, usedInMonth: 1 });

    expect(findRefusal(allowance, nowMs)).toMatchObject({ kind: 'quotaExceeded' });
  });
});

describe('toWholeSeconds', () => {
  it.each([
    ['nothing', 0, 1],
    ['less than nothing', -5_000, 1],
    ['a millisecond', 1, 1],
    ['a second', 1_000, 1],
    ['a bit more than a second', 1_001, 2],
    ['a minute', 60_000, 60],
    ['half a second short of a minute', 59_500, 60],
  ])('rounds %s up, and to 1 at least', (_, ms, seconds) => {
    expect(toWholeSeconds(ms)).toBe(seconds);
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
