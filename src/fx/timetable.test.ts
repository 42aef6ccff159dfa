import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyMoment } from '../../test/support/arbitraries.ts';
import { addDays, isoDate } from '../platform/time.ts';
import { isPublicationDay } from './calendar.ts';
import {
  isRunDue,
  missedPublications,
  newestDueDate,
  nextRunMs,
  todayInFrankfurt,
} from './timetable.ts';

const at = (moment: string): number => Date.parse(moment);
const hourMs = 3_600_000;

describe('newestDueDate (contract C18)', () => {
  it.each([
    ['yesterday’s until 16:00 in winter', '2026-11-20T14:59:59.999Z', '2026-11-19'],
    ['today’s from 16:00 on in winter', '2026-11-20T15:00:00.000Z', '2026-11-20'],
    ['yesterday’s until 16:00 in summer', '2026-07-21T13:59:59.999Z', '2026-07-20'],
    ['today’s from 16:00 on in summer', '2026-07-21T14:00:00.000Z', '2026-07-21'],
    ['today’s until midnight', '2026-11-20T22:59:59.999Z', '2026-11-20'],
    ['Friday’s on Sunday', '2026-11-22T20:00:00.000Z', '2026-11-20'],
    ['Thursday’s on Easter Monday', '2026-04-06T20:00:00.000Z', '2026-04-02'],
    ['Friday’s on Monday morning', '2026-11-23T08:00:00.000Z', '2026-11-20'],
  ])('is %s', (_, moment, date) => {
    expect(newestDueDate(at(moment))).toBe(date);
  });
});

describe('todayInFrankfurt', () => {
  it('changes at midnight in Frankfurt', () => {
    expect(todayInFrankfurt(at('2026-11-20T22:59:59Z'))).toBe('2026-11-20');
    expect(todayInFrankfurt(at('2026-11-20T23:00:00Z'))).toBe('2026-11-21');
  });
});

describe('missedPublications', () => {
  it.each([
    ['one before the first', undefined, 1],
    ['none when the newest due one is here', '2026-11-20', 0],
    ['none when a later one is here', '2026-11-23', 0],
    ['one', '2026-11-19', 1],
    ['those of a week, not its days', '2026-11-12', 6],
  ])('are %s', (_, newest, missed) => {
    const date = newest === undefined ? undefined : isoDate(newest);

    expect(missedPublications(date, at('2026-11-22T12:00:00Z'))).toBe(missed);
  });
});

describe('the timetable of exchange rates', () => {
  const later = fc.tuple(anyMoment, fc.integer({ min: 0, max: 60 * 24 * hourMs }));

  it('never has an earlier date due at a later moment', () => {
    fc.assert(
      fc.property(later, fc.nat(30), ([nowMs, laterByMs], daysAgo) => {
        const laterMs = nowMs + laterByMs;
        const newest = addDays(todayInFrankfurt(nowMs), -daysAgo);
        expect(newestDueDate(laterMs) >= newestDueDate(nowMs)).toBe(true);
        expect(missedPublications(newest, laterMs)).toBeGreaterThanOrEqual(
          missedPublications(newest, nowMs),
        );
      }),
    );
  });

  it('always has a publication day due that has begun in Frankfurt', () => {
    fc.assert(
      fc.property(anyMoment, (nowMs) => {
        const due = newestDueDate(nowMs);
        expect(isPublicationDay(due)).toBe(true);
        expect(due <= todayInFrankfurt(nowMs)).toBe(true);
        expect(missedPublications(due, nowMs)).toBe(0);
      }),
    );
  });

  it('is due at least once an hour while a publication is missing', () => {
    fc.assert(
      fc.property(later, ([nowMs, silentMs]) => {
        fc.pre(silentMs >= hourMs);
        const newest = addDays(newestDueDate(nowMs), -1);
        const lastStartedMs = nowMs - silentMs;
        expect(isRunDue({ nowMs, newest, held: [], lastStartedMs, isStart: false })).toBe(true);
      }),
    );
  });

  it('is due every three minutes at most', () => {
    fc.assert(
      fc.property(anyMoment, fc.nat(3 * 60_000 - 1), fc.nat(5), (nowMs, sinceMs, daysAgo) => {
        const newest = addDays(newestDueDate(nowMs), -daysAgo);
        const lastStartedMs = nowMs - sinceMs;
        expect(isRunDue({ nowMs, newest, held: [], lastStartedMs, isStart: false })).toBe(false);
      }),
    );
  });
});

describe('isRunDue (contract C18)', () => {
  type Case = {
    now: string;
    newest: string | undefined;
    last: string | undefined;
    held?: readonly string[];
    isStart?: boolean;
  };
  const due = ({ now, newest, last, held = [], isStart = false }: Case): boolean =>
    isRunDue({
      nowMs: at(now),
      newest: newest === undefined ? undefined : isoDate(newest),
      held,
      lastStartedMs: last === undefined ? undefined : at(last),
      isStart,
    });

  it.each<[string, Case]>([
    [
      'at 16:00 on a publication day',
      { now: '2026-11-20T15:00:00Z', newest: '2026-11-19', last: '2026-11-20T14:50:00Z' },
    ],
    [
      'three minutes after a run without a new publication',
      { now: '2026-11-20T15:03:00Z', newest: '2026-11-19', last: '2026-11-20T15:00:00Z' },
    ],
    [
      'an hour after the publication, for corrections',
      { now: '2026-11-20T16:03:00Z', newest: '2026-11-20', last: '2026-11-20T15:03:00Z' },
    ],
    [
      'an hour after a run, while the day is held',
      {
        now: '2026-11-20T16:03:00Z',
        newest: '2026-11-19',
        last: '2026-11-20T15:03:00Z',
        held: ['2026-11-20'],
      },
    ],
    [
      'an hour after a failure, in the morning',
      { now: '2026-11-20T08:00:00Z', newest: '2026-11-18', last: '2026-11-20T07:00:00Z' },
    ],
    [
      'an hour after a failure, on a Sunday',
      { now: '2026-11-22T08:00:00Z', newest: '2026-11-19', last: '2026-11-22T07:00:00Z' },
    ],
    [
      'at a start with something missing',
      {
        now: '2026-11-20T08:00:00Z',
        newest: '2026-11-18',
        last: '2026-11-20T07:59:00Z',
        isStart: true,
      },
    ],
    ['when it has never run', { now: '2026-11-22T08:00:00Z', newest: undefined, last: undefined }],
    [
      'three minutes after a failed first run',
      { now: '2026-11-22T08:03:00Z', newest: undefined, last: '2026-11-22T08:00:00Z' },
    ],
    [
      'when the clock was set back behind the last run',
      { now: '2026-11-20T15:10:00Z', newest: '2026-11-19', last: '2026-11-20T18:00:00Z' },
    ],
  ])('is true %s', (_, state) => {
    expect(due(state)).toBe(true);
  });

  it.each<[string, Case]>([
    [
      'before 16:00 with nothing missing',
      { now: '2026-11-20T14:59:59Z', newest: '2026-11-19', last: '2026-11-19T15:03:00Z' },
    ],
    [
      'within three minutes of a run without a new publication',
      { now: '2026-11-20T15:02:59.999Z', newest: '2026-11-19', last: '2026-11-20T15:00:00Z' },
    ],
    [
      'within an hour of the publication',
      { now: '2026-11-20T16:02:59Z', newest: '2026-11-20', last: '2026-11-20T15:03:00Z' },
    ],
    [
      'within an hour of a run, while the day is held',
      {
        now: '2026-11-20T15:30:00Z',
        newest: '2026-11-19',
        last: '2026-11-20T15:03:00Z',
        held: ['2026-11-20'],
      },
    ],
    [
      'after midnight with nothing missing',
      { now: '2026-11-20T23:30:00Z', newest: '2026-11-20', last: '2026-11-20T15:03:00Z' },
    ],
    [
      'on a weekend with nothing missing',
      { now: '2026-11-21T16:00:00Z', newest: '2026-11-20', last: '2026-11-20T22:03:00Z' },
    ],
    [
      'on a holiday with nothing missing',
      { now: '2026-05-01T15:00:00Z', newest: '2026-04-30', last: '2026-04-30T20:00:00Z' },
    ],
    [
      'at a start with nothing missing, in the morning',
      { now: '2026-11-20T08:00:00Z', newest: '2026-11-19', last: undefined, isStart: true },
    ],
    [
      'at a start in the afternoon, shortly after a run that found all',
      {
        now: '2026-11-20T15:10:00Z',
        newest: '2026-11-20',
        last: '2026-11-20T15:03:00Z',
        isStart: true,
      },
    ],
  ])('is false %s', (_, state) => {
    expect(due(state)).toBe(false);
  });
});

describe('nextRunMs of exchange rates', () => {
  it.each([
    [
      'an hour after the publication, for corrections',
      '2026-11-20T15:30:00Z',
      '2026-11-20',
      '2026-11-20T15:03:00Z',
      '2026-11-20T16:03:00Z',
    ],
    [
      'three minutes after a run that found no publication',
      '2026-11-20T15:30:00Z',
      '2026-11-19',
      '2026-11-20T15:29:00Z',
      '2026-11-20T15:32:00Z',
    ],
    [
      '16:00 in Frankfurt, if a publication is missing before',
      '2026-11-20T14:50:00Z',
      '2026-11-18',
      '2026-11-20T14:45:00Z',
      '2026-11-20T15:00:00Z',
    ],
    [
      '16:00 on Monday, on a Saturday',
      '2026-11-21T12:00:00Z',
      '2026-11-20',
      '2026-11-20T22:03:00Z',
      '2026-11-23T15:00:00Z',
    ],
    [
      '16:00 on the Tuesday after Easter, in summer time',
      '2026-04-03T12:00:00Z',
      '2026-04-02',
      '2026-04-02T20:00:00Z',
      '2026-04-07T14:00:00Z',
    ],
  ])('is %s', (_, now, newest, last, next) => {
    const state = { newest: isoDate(newest), held: [], lastStartedMs: at(last), isStart: false };

    expect(nextRunMs({ ...state, nowMs: at(now) })).toBe(at(next));
  });

  it('is the first moment at which a run is due', () => {
    fc.assert(
      fc.property(
        anyMoment,
        fc.nat(3),
        fc.integer({ min: 0, max: 80 * hourMs }),
        fc.boolean(),
        fc.nat(),
        (nowMs, daysAgo, sinceMs, isHeld, share) => {
          const today = todayInFrankfurt(nowMs);
          const newest = addDays(newestDueDate(nowMs), -daysAgo);
          const held = isHeld ? [today] : [];
          const state = { newest, held, lastStartedMs: nowMs - sinceMs, isStart: false };
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
