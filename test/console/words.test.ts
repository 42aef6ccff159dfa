import { describe, expect, it } from 'vitest';
import { formatApiKey } from '../../src/access/authentication/api-key.ts';
import { readCurrencies } from '../../web/src/fx/currencies.ts';
import { monthsBefore } from '../../web/src/fx/spans.ts';
import { differenceInWords } from '../../web/src/rates/rate-words.ts';
import { printCurl } from '../../web/src/parts/curl-command.ts';
import { readRoute } from '../../web/src/route.ts';
import { findKeyFault } from '../../web/src/session/key-fault.ts';
import {
  explainFreshness,
  blockInWords,
  healthOf,
  nextRunInWords,
} from '../../web/src/status/status-words.ts';
import { scheduleInWords } from '../../web/src/watches/watch-words.ts';
import type { Watch } from '../../web/src/wire.ts';

describe('findKeyFault (contract C25)', () => {
  it('accepts a key of the service, and finds a wrong character at each position', () => {
    const key = formatApiKey(new Uint8Array(32).fill(7));
    expect(findKeyFault(key)).toBeUndefined();
    for (let at = 4; at < key.length; at += 1) {
      const wrong = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
      expect(findKeyFault(wrong)).toContain('checksum');
    }
  });
});

describe('changes of rates in words', () => {
  it.each([
    [[20], [20], undefined],
    [[27], [25], 'lowered from 27 %'],
    [[19], [21], 'raised from 19 %'],
    [[], [12], 'new'],
    [[12], [], 'removed, was 12 %'],
    [[9, 13.5], [9, 12.5], 'changed from 9 % and 13.5 %'],
    [[10], [5, 10], 'changed from 10 %'],
  ])('describes the change from %j to %j as %s', (before, after, words) => {
    expect(differenceInWords(before, after)).toBe(words);
  });
});

describe('exchange rates of the console', () => {
  it.each([
    ['', ['USD']],
    ['USD,GBP,USD', ['USD', 'GBP']],
    ['usd,<b>', ['USD']],
    [
      'AAA,BBB,CCC,DDD,EEE,FFF,GGG,HHH,III,JJJ,KKK'.slice(0, 43),
      'AAA,BBB,CCC,DDD,EEE,FFF,GGG,HHH,III,JJJ'.split(','),
    ],
  ])('reads %j as the currencies %j', (text, codes) => {
    expect(readCurrencies(text)).toEqual(codes);
  });

  it.each([
    ['2026-11-20', 1, '2026-10-20'],
    ['2026-03-31', 1, '2026-02-28'],
    ['2024-03-31', 1, '2024-02-29'],
    ['2026-01-15', 3, '2025-10-15'],
    ['2026-11-20', 60, '2021-11-20'],
  ])('takes from %s %i months, which is %s', (date, months, before) => {
    expect(monthsBefore(date, months)).toBe(before);
  });
});

describe('status in words', () => {
  const now = '2026-11-20T12:00:00.000Z';
  const known = { lastAnswerAt: null, lastFailureAt: null, lastFailure: null, failures: 0 };
  const closed = { ...known, breaker: 'closed' } as const;

  it.each([
    [undefined, 'not queried yet'],
    [{ ...closed, lastAnswerAt: '2026-11-20T11:00:00.000Z' }, 'answered 1 hour ago'],
    [
      {
        ...closed,
        lastAnswerAt: '2026-11-20T11:00:00.000Z',
        lastFailureAt: '2026-11-20T11:58:00.000Z',
        lastFailure: 'timedOut',
      },
      'failed 2 minutes ago: too slow',
    ],
    [{ ...known, breaker: 'open' } as const, 'failing: checks are paused'],
  ])('describes the registry %j as: %s', (health, words) => {
    expect(healthOf(health, now).text).toBe(words);
  });

  const registry = {
    blockedUntil: null,
    reason: null,
    callsToday: { background: 19_000, callers: 1, perDay: 20_000 },
    waitingChecks: 36_000,
    estimatedDoneAt: '2026-11-27T00:53:20.000Z',
  };

  it('says that VIES blocks the service, and until when', () => {
    const blockedUntil = '2026-11-20T17:00:00.000Z';

    expect(blockInWords({ ...registry, blockedUntil, reason: 'IP_BLOCKED' })).toBe(
      'VIES refuses the queries of this service until 20 Nov, 17:00 UTC (IP_BLOCKED).',
    );
    expect(blockInWords(registry)).toBeUndefined();
  });

  const fresh = {
    newestVersion: '2026-11-20',
    ageSeconds: 43_200,
    publicationsMissed: 0,
    error: null,
    lastRun: null,
    nextRunAt: null,
    remark: null,
    heldCount: 0,
    correctionCount: 0,
  };

  it.each([
    [{}, undefined],
    [{ newestVersion: null, publicationsMissed: 1 }, undefined],
    [{ heldCount: null }, undefined],
    [{ heldCount: 1 }, 'Held for a decision'],
    [{ publicationsMissed: 1 }, '1 day missing: the newest data is of 20 November 2026'],
    [
      { publicationsMissed: 2, heldCount: 1 },
      'Held for a decision: the newest data is of 20 November 2026',
    ],
  ])('explains the freshness of a data set with %j as: %s', (state, title) => {
    expect(explainFreshness({ ...fresh, ...state })?.title).toBe(title);
  });

  it('says when the source of held data is asked again, if data of a day is missing', () => {
    const held = { ...fresh, heldCount: 1, nextRunAt: '2026-11-20T08:05:00.000Z' };

    expect(explainFreshness({ ...held, publicationsMissed: 1 })?.advice).toContain(
      'asked again at 08:05 UTC; a plausible answer is published without you',
    );
    expect(explainFreshness(held)?.advice).not.toContain('asked again');
  });

  it.each([
    ['2026-11-20T12:55:00.000Z', 'at 12:55 UTC'],
    ['2026-11-21T07:00:00.000Z', 'on 21 Nov, 07:00 UTC'],
    ['2026-11-20T12:00:00.000Z', 'now'],
    ['2026-11-20T11:00:00.000Z', 'now'],
  ])('describes the next run at %s as: %s', (nextRunAt, words) => {
    expect(nextRunInWords(nextRunAt, now)).toBe(words);
  });
});

describe('watches in words', () => {
  it.each([
    ['a new watch', '2026-11-20T16:00:00.000Z', 'the first check is due now'],
    [
      'a watch whose newest check was deleted',
      '2026-12-01T00:00:00.000Z',
      'next on 1 December 2026',
    ],
  ])('says when the next check of %s is due', (_, nextCheckAt, next) => {
    const createdAt = '2026-11-20T16:00:00.000Z';
    const watch = { everyDays: 90, lastCheck: null, nextCheckAt, createdAt } as Watch;

    expect(scheduleInWords(watch)).toBe(`checked at least every 90 days, ${next}`);
  });
});

describe('readRoute', () => {
  it.each([
    ['#/rates?date=2026-11-20&with=abc&sort=country', 'date=2026-11-20&sort=country'],
    ['#/fx?from=2026-02-30&to=yesterday&date=', ''],
  ])('leaves dates out of %s that are none', (hash, query) => {
    expect(readRoute(hash).params.toString()).toBe(query);
  });
});

describe('the curl command of a path', () => {
  it('stays one argument of a shell, whatever the path has', () => {
    expect(printCurl("/vatchecks/a'b")).toMatch(
      /^curl -H "Authorization: Bearer \$KEY" '[^']+\/vatchecks\/a%27b'$/,
    );
  });
});
