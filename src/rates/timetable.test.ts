import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyDate, anyMoment } from '../../test/support/arbitraries.ts';
import { addDays, daysBetween, isoDate } from '../platform/time.ts';
import {
  isRunDue,
  missedVersions,
  nextRunMs,
  newestDueVersion,
  versionAt,
  versionsToAsk,
} from './timetable.ts';

const at = (moment: string): number => Date.parse(moment);
const hourMs = 3_600_000;

describe('versionAt (contract C12)', () => {
  it.each([
    ['before midnight in Brussels, in winter', '2026-11-20T22:59:59Z', '2026-11-20'],
    ['at midnight in Brussels, in winter', '2026-11-20T23:00:00Z', '2026-11-21'],
    ['at midnight in Brussels, in summer', '2026-07-20T22:00:00Z', '2026-07-21'],
    ['at the daily run', '2026-11-20T07:00:00Z', '2026-11-20'],
  ])('is the date of the wall clock %s', (_, moment, version) => {
    expect(versionAt(at(moment))).toBe(version);
  });
});

describe('newestDueVersion (interface 1)', () => {
  it.each([
    ['yesterday’s before 07:00 UTC', '2026-11-20T06:59:59.999Z', '2026-11-19'],
    ['today’s from 07:00 UTC on', '2026-11-20T07:00:00.000Z', '2026-11-20'],
    ['today’s in summer too', '2026-07-20T07:00:00.000Z', '2026-07-20'],
    ['a Saturday’s on a Saturday', '2026-11-21T07:00:00.000Z', '2026-11-21'],
    ['still today’s after midnight in Brussels', '2026-11-20T23:30:00.000Z', '2026-11-20'],
  ])('is %s', (_, moment, version) => {
    expect(newestDueVersion(at(moment))).toBe(version);
  });
});

describe('the timetable of rates', () => {
  it('never has an earlier version due at a later moment', () => {
    const later = fc.tuple(anyMoment, fc.integer({ min: 0, max: 400 * 24 * hourMs }));
    fc.assert(
      fc.property(later, anyDate, ([nowMs, laterByMs], newest) => {
        const laterMs = nowMs + laterByMs;
        expect(newestDueVersion(laterMs) >= newestDueVersion(nowMs)).toBe(true);
        expect(versionAt(laterMs) >= versionAt(nowMs)).toBe(true);
        expect(missedVersions(newest, laterMs)).toBeGreaterThanOrEqual(
          missedVersions(newest, nowMs),
        );
      }),
    );
  });

  it('never has a version due before its day begins in Brussels', () => {
    fc.assert(
      fc.property(anyMoment, (nowMs) => {
        expect(newestDueVersion(nowMs) <= versionAt(nowMs)).toBe(true);
      }),
    );
  });

  it('stays due until the job has run', () => {
    fc.assert(
      fc.property(
        anyMoment,
        fc.integer({ min: 0, max: 10 }),
        fc.integer({ min: 0, max: 72 * hourMs }),
        fc.integer({ min: 0, max: 72 * hourMs }),
        (nowMs, missed, sinceMs, laterByMs) => {
          const newest = addDays(newestDueVersion(nowMs), -missed);
          const state = { newest, lastStartedMs: nowMs - sinceMs, isStart: false };
          fc.pre(isRunDue({ ...state, nowMs }));
          expect(isRunDue({ ...state, nowMs: nowMs + laterByMs })).toBe(true);
        },
      ),
    );
  });
});

describe('versionsToAsk', () => {
  const snapshotDates = (newest: string | undefined, until: string, held: readonly string[] = []) =>
    versionsToAsk({
      newest: newest === undefined ? undefined : isoDate(newest),
      until: isoDate(until),
      held,
    });

  it.each([
    ['the one asked for at first', undefined, '2026-11-20', ['2026-11-20']],
    ['it again when it is there', '2026-11-20', '2026-11-20', ['2026-11-20']],
    ['it alone when something newer is there', '2026-11-22', '2026-11-20', ['2026-11-20']],
    ['the next', '2026-11-19', '2026-11-20', ['2026-11-20']],
    [
      'each day since, oldest first',
      '2026-11-17',
      '2026-11-20',
      ['2026-11-18', '2026-11-19', '2026-11-20'],
    ],
  ])('are %s', (_, newest, until, versions) => {
    expect(snapshotDates(newest, until)).toEqual(versions);
  });

  it('do not include held days, except the last', () => {
    const held = ['2026-11-18', '2026-11-20'];

    expect(snapshotDates('2026-11-17', '2026-11-20', held)).toEqual(['2026-11-19', '2026-11-20']);
  });

  it.each([
    [400, '2025-10-17', '2025-10-18'],
    [401, '2025-10-16', '2025-10-18'],
  ])('are the newest 400 days of a gap of %d days', (gap, newest, first) => {
    expect(daysBetween(isoDate(newest), isoDate('2026-11-21'))).toBe(gap);

    const versions = snapshotDates(newest, '2026-11-21');

    expect(versions).toHaveLength(400);
    expect(versions[0]).toBe(first);
    expect(versions.at(-1)).toBe('2026-11-21');
  });

  it('end with the requested version, ascend, and are newer than the newest published one', () => {
    const gap = fc.integer({ min: 1, max: 500 });
    fc.assert(
      fc.property(anyDate, gap, fc.array(fc.nat(500)), (until, days, heldAgo) => {
        fc.pre(until > '0003-01-01');
        const newest = addDays(until, -days);
        const held = heldAgo.map((ago) => addDays(until, -ago));
        const versions = versionsToAsk({ newest, until, held });
        expect(versions.at(-1)).toBe(until);
        expect(versions).toEqual([...new Set(versions)].sort());
        expect(versions.every((version) => version > newest)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe('missedVersions', () => {
  it.each([
    ['one before the first', undefined, 1],
    ['none when the newest due one is here', '2026-11-20', 0],
    ['none when a later one is here', '2026-11-21', 0],
    ['one', '2026-11-19', 1],
    ['a week', '2026-11-13', 7],
  ])('is %s', (_, newest, missed) => {
    const date = newest === undefined ? undefined : isoDate(newest);

    expect(missedVersions(date, at('2026-11-20T07:00:00Z'))).toBe(missed);
  });
});

describe('isRunDue (interface 1)', () => {
  type Case = {
    now: string;
    newest: string | undefined;
    last: string | undefined;
    isStart?: boolean;
  };
  const due = ({ now, newest, last, isStart = false }: Case): boolean =>
    isRunDue({
      nowMs: at(now),
      newest: newest === undefined ? undefined : isoDate(newest),
      lastStartedMs: last === undefined ? undefined : at(last),
      isStart,
    });

  it.each<[string, Case]>([
    [
      'at 07:00 UTC',
      { now: '2026-11-20T07:00:00Z', newest: '2026-11-19', last: '2026-11-19T07:00:03Z' },
    ],
    [
      'at 07:00 UTC, shortly after a run for yesterday',
      { now: '2026-11-20T07:00:00Z', newest: '2026-11-19', last: '2026-11-20T06:59:00Z' },
    ],
    [
      'an hour after a failure',
      { now: '2026-11-20T08:00:03Z', newest: '2026-11-19', last: '2026-11-20T07:00:03Z' },
    ],
    [
      'at a start with something missing',
      {
        now: '2026-11-20T07:10:00Z',
        newest: '2026-11-19',
        last: '2026-11-20T07:09:00Z',
        isStart: true,
      },
    ],
    ['when it has never run', { now: '2026-11-20T07:10:00Z', newest: undefined, last: undefined }],
    [
      'five minutes after a failed first run',
      { now: '2026-11-20T07:15:00Z', newest: undefined, last: '2026-11-20T07:10:00Z' },
    ],
    [
      'when the clock was set back behind the last run',
      { now: '2026-11-20T07:10:00Z', newest: '2026-11-19', last: '2026-11-20T09:00:00Z' },
    ],
  ])('is true %s', (_, state) => {
    expect(due(state)).toBe(true);
  });

  it.each<[string, Case]>([
    [
      'before 07:00 UTC',
      { now: '2026-11-20T06:59:59.999Z', newest: '2026-11-19', last: '2026-11-19T07:00:03Z' },
    ],
    [
      'when the day is published',
      { now: '2026-11-20T12:00:00Z', newest: '2026-11-20', last: '2026-11-20T07:00:03Z' },
    ],
    [
      'at a start with nothing missing',
      { now: '2026-11-20T12:00:00Z', newest: '2026-11-20', last: undefined, isStart: true },
    ],
    [
      'within an hour of a failure',
      { now: '2026-11-20T08:00:02.999Z', newest: '2026-11-19', last: '2026-11-20T07:00:03Z' },
    ],
    [
      'within five minutes of a failed first run',
      { now: '2026-11-20T07:14:59.999Z', newest: undefined, last: '2026-11-20T07:10:00Z' },
    ],
  ])('is false %s', (_, state) => {
    expect(due(state)).toBe(false);
  });
});

describe('nextRunMs of rates', () => {
  it.each([
    [
      '07:00 UTC of the next day, if no version is missing',
      '2026-11-20',
      '2026-11-20T07:00:00Z',
      '2026-11-21T07:00:00Z',
    ],
    [
      'an hour after a run that published nothing',
      '2026-11-19',
      '2026-11-20T11:30:00Z',
      '2026-11-20T12:30:00Z',
    ],
    [
      'five minutes after the run, before the first publication',
      undefined,
      '2026-11-20T11:58:00Z',
      '2026-11-20T12:03:00Z',
    ],
    [
      'now, if the last run is older than an hour',
      '2026-11-19',
      '2026-11-20T07:00:00Z',
      '2026-11-20T12:00:00Z',
    ],
    [
      'the day after the next, if the version of tomorrow is there',
      '2026-11-21',
      '2026-11-20T07:00:00Z',
      '2026-11-22T07:00:00Z',
    ],
  ])('is %s', (_, newest, last, next) => {
    const date = newest === undefined ? undefined : isoDate(newest);
    const nowMs = at('2026-11-20T12:00:00Z');
    const state = { nowMs, newest: date, held: [], lastStartedMs: at(last), isStart: false };

    expect(nextRunMs(state)).toBe(at(next));
  });

  it('is the first moment at which a run is due', () => {
    fc.assert(
      fc.property(
        anyMoment,
        fc.integer({ min: -1, max: 3 }),
        fc.integer({ min: 0, max: 30 * hourMs }),
        fc.nat(),
        (nowMs, missed, sinceMs, share) => {
          const newest = addDays(newestDueVersion(nowMs), -missed);
          const state = { newest, held: [], lastStartedMs: nowMs - sinceMs, isStart: false };
          const next = nextRunMs({ ...state, nowMs }) ?? Number.NaN;
          expect(isRunDue({ ...state, nowMs: next })).toBe(true);
          fc.pre(next > nowMs);
          const before = nowMs + (share % (next - nowMs));
          expect(isRunDue({ ...state, nowMs: before })).toBe(false);
        },
      ),
    );
  });
});
