import { describe, expect, it } from 'vitest';
import type { Limits } from './key-limits.ts';
import { findRefusal, printRefusal, type Refusal, refuseRate } from './refusal.ts';
import { SlidingWindow } from './sliding-window.ts';

const nowMs = Date.parse('2026-11-20T07:00:00.000Z');
const month = { startsMs: Date.parse('2026-11-01'), endsMs: Date.parse('2026-12-01') };

type Given = Partial<Limits> & {
  readonly usedInMonth?: number;
  /** Ages in milliseconds of the requests that this process admitted. */
  readonly agesMs?: readonly number[];
};

/** The refusal of a request that comes now. */
function findHere(given: Given, replicas = 1): Refusal | undefined {
  const { rateLimit = 'none', quota = 'none', usedInMonth = 0, agesMs = [] } = given;
  const recent = new SlidingWindow();
  for (const ageMs of agesMs) recent.add(nowMs - ageMs);
  const state = { recent, month, usedInMonth, admittedAlone: 0 };
  return findRefusal(state, { rateLimit, quota }, { nowMs, cost: 1, replicas });
}

describe('findRefusal (contracts C3 and C26)', () => {
  it.each([
    ['there are no limits', { agesMs: [3, 2, 1], usedInMonth: 9_999_999 }],
    ['one request of the minute is left', { rateLimit: 3, agesMs: [1, 1] }],
    ['the last request is a minute ago', { rateLimit: 1, agesMs: [60_000] }],
    ['one request of the month is left', { quota: 100, usedInMonth: 99 }],
  ] as const)('refuses nothing if %s', (_, given) => {
    expect(findHere(given)).toBeUndefined();
  });

  it('refuses at the rate limit until the oldest request is a minute ago', () => {
    const given = { rateLimit: 2, agesMs: [47_500, 10_000] };

    expect(findHere(given)).toEqual({
      kind: 'rateLimited',
      policy: 'rate-limit',
      limit: 2,
      windowSeconds: 60,
      retryAfterSeconds: 13,
    });
  });

  it('refuses above a rate limit that was lowered until there is room again', () => {
    const given = { rateLimit: 1, agesMs: [50_000, 40_000, 30_000] };

    expect(findHere(given)).toMatchObject({ limit: 1, retryAfterSeconds: 30 });
  });

  it.each([
    ['at', 100],
    ['above', 250],
  ])('refuses %s the quota until the month ends', (_, usedInMonth) => {
    expect(findHere({ quota: 100, usedInMonth })).toEqual({
      kind: 'quotaExceeded',
      policy: 'quota',
      limit: 100,
      windowSeconds: 30 * 86_400,
      retryAfterSeconds: 10 * 86_400 + 17 * 3_600,
    });
  });

  it('reports the rate limit if both are reached', () => {
    const given = { rateLimit: 1, agesMs: [1], quota: 1, usedInMonth: 1 };

    expect(findHere(given)).toMatchObject({ kind: 'rateLimited' });
  });

  it('reports the quota if there is room in the minute', () => {
    const given = { rateLimit: 2, agesMs: [1], quota: 1, usedInMonth: 1 };

    expect(findHere(given)).toMatchObject({ kind: 'quotaExceeded' });
  });
});

describe('findRefusal with several replicas (R21)', () => {
  it.each([
    ['a third of the rate limit', { rateLimit: 10, quota: 'none' }, 4],
    ['one request of a limit below 3', { rateLimit: 1, quota: 'none' }, 1],
    ['a third of the rest of the quota', { rateLimit: 'none', quota: 30 }, 4],
  ] as const)('admits %s', (_, limits, expected) => {
    const recent = new SlidingWindow();
    const isAdmitted = (admittedAlone: number): boolean => {
      const state = { recent, month, usedInMonth: 18 + admittedAlone, admittedAlone };
      return findRefusal(state, limits, { nowMs, cost: 1, replicas: 3 }) === undefined;
    };

    let admitted = 0;
    for (; isAdmitted(admitted); admitted += 1) recent.add(nowMs);

    expect(admitted).toBe(expected);
  });

  it('refuses until enough of its own requests have ended for its share', () => {
    const given = { rateLimit: 30, agesMs: [40_000, ...Array<number>(10).fill(20_000)] };

    expect(findHere(given, 3)).toMatchObject({ limit: 30, retryAfterSeconds: 40 });
  });
});

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
