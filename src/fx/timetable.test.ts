import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyMoment } from '../../test/support/arbitraries.ts';
import { addDays, isoDate, type IsoDate, momentIn } from '../platform/time/time.ts';
import { bankSeries } from './banks/banks.ts';
import { ecbDays, ecbTimetable } from './ecb/calendar.ts';
import { Timetable } from './timetable.ts';

const at = (moment: string): number => Date.parse(moment);
const hourMs = 3_600_000;
const timetableIn = (timeZone: string, hour: number) =>
  new Timetable({ timeZone, publicationMinute: hour * 60, days: ecbDays });
const dateOr = (date: string | undefined) => (date === undefined ? undefined : isoDate(date));

describe('newestAvailableDay', () => {
  it.each([
    ['Europe/Berlin', 16, ecbTimetable],
    ['Europe/Bucharest', 13, timetableIn('Europe/Bucharest', 13)],
  ])('is at any moment the last day on which the clock of %s has shown %i:00', (zone, hour, of) => {
    const hasShown = (date: IsoDate): number => momentIn(zone, date, hour * 60);
    const anyMinute = fc
      .nat(110 * 366 * 24 * 60)
      .map((minutes) => at('1999-01-04T00:00:00Z') + minutes * 60_000);
    fc.assert(
      fc.property(anyMinute, fc.constantFrom(-1, 0, 1), (minuteMs, ms) => {
        const nowMs = minuteMs + ms;
        const day = of.newestAvailableDay(nowMs);
        expect(hasShown(day)).toBeLessThanOrEqual(nowMs);
        expect(hasShown(addDays(day, 1))).toBeGreaterThan(nowMs);
      }),
      { numRuns: 1_000 },
    );
  });
});

it.each([
  ['until 16:00 in winter', '2026-11-20T14:59:59.999Z', '2026-11-19'],
  ['from 16:00 on in winter', '2026-11-20T15:00:00.000Z', '2026-11-20'],
  ['until 16:00 in summer', '2026-07-21T13:59:59.999Z', '2026-07-20'],
  ['from 16:00 on in summer', '2026-07-21T14:00:00.000Z', '2026-07-21'],
  ['until midnight', '2026-11-20T22:59:59.999Z', '2026-11-20'],
  ['on Sunday', '2026-11-22T20:00:00.000Z', '2026-11-20'],
  ['on Easter Monday', '2026-04-06T20:00:00.000Z', '2026-04-02'],
  ['on Monday morning', '2026-11-23T08:00:00.000Z', '2026-11-20'],
])('the newest due publication %s (contract C18)', (_, moment, date) => {
  expect(ecbTimetable.newestDueDate(at(moment))).toBe(date);
});

it('a day begins at midnight in Frankfurt', () => {
  expect(ecbTimetable.today(at('2026-11-20T22:59:59Z'))).toBe('2026-11-20');
  expect(ecbTimetable.today(at('2026-11-20T23:00:00Z'))).toBe('2026-11-21');
});

it.each([
  [undefined, 1],
  ['2026-11-20', 0],
  ['2026-11-23', 0],
  ['2026-11-19', 1],
  ['2026-11-12', 6],
])('with %s as the newest, %i publications are missed', (newest, missed) => {
  expect(ecbTimetable.countMissed(dateOr(newest), at('2026-11-22T12:00:00Z'))).toBe(missed);
});

describe('the timetable of exchange rates', () => {
  it('is due at least once an hour while a publication is missing, and every three minutes at most', () => {
    const isDue = (nowMs: number, daysAgo: number, sinceMs: number): boolean => {
      const newest = addDays(ecbTimetable.newestDueDate(nowMs), -daysAgo);
      return ecbTimetable.isRunDue({
        nowMs,
        newest,
        held: [],
        lastStartedMs: nowMs - sinceMs,
        isStart: false,
      });
    };
    const [long, short] = [fc.nat(60 * 24 * hourMs), fc.nat(3 * 60_000 - 1)];
    fc.assert(
      fc.property(anyMoment, long, short, fc.nat(5), (nowMs, longMs, shortMs, daysAgo) => {
        expect(isDue(nowMs, 1, hourMs + longMs)).toBe(true);
        expect(isDue(nowMs, daysAgo, shortMs)).toBe(false);
      }),
    );
  });
});

/** A day of November 2026 with a time in UTC, as in `20 15:03`. */
const moment = (text: string): number => at(`2026-11-${text.replace(' ', 'T')}Z`);

it.each<[string, string, string | undefined, string | undefined, isDue: boolean, held?: string]>([
  ['at 16:00', '20 15:00', '2026-11-19', '20 14:50', true],
  ['before 16:00 with nothing missing', '20 14:59:59', '2026-11-19', '19 15:03', false],
  ['three minutes after a run that found none', '20 15:03', '2026-11-19', '20 15:00', true],
  ['within three minutes of it', '20 15:02:59.999', '2026-11-19', '20 15:00', false],
  ['an hour after the publication, to correct', '20 16:03', '2026-11-20', '20 15:03', true],
  ['within an hour of the publication', '20 16:02:59', '2026-11-20', '20 15:03', false],
  ['an hour after a run with the day held', '20 16:03', '2026-11-19', '20 15:03', true, '20'],
  ['within an hour of it', '20 15:30', '2026-11-19', '20 15:03', false, '20'],
  ['an hour after a failure in the morning', '20 08:00', '2026-11-18', '20 07:00', true],
  ['an hour after a failure on a Sunday', '22 08:00', '2026-11-19', '22 07:00', true],
  ['after midnight with nothing missing', '20 23:30', '2026-11-20', '20 15:03', false],
  ['on a weekend with nothing missing', '21 16:00', '2026-11-20', '20 22:03', false],
  ['when it has never run', '22 08:00', undefined, undefined, true],
  ['three minutes after a failed first run', '22 08:03', undefined, '22 08:00', true],
  ['after the clock was set back', '20 15:10', '2026-11-19', '20 18:00', true],
  ['at a start with one missing', '20 08:00', '2026-11-18', '20 07:59', true],
  ['at a start with nothing missing', '20 08:00', '2026-11-19', undefined, false],
  ['at a start just after a run that found all', '20 15:10', '2026-11-20', '20 15:03', false],
])('a run is due, or not: %s (contract C18)', (what, now, newest, last, isDue, heldDay) => {
  const lastStartedMs = last === undefined ? undefined : moment(last);
  const held = heldDay === undefined ? [] : [`2026-11-${heldDay}`];
  const isStart = what.startsWith('at a start');
  const state = { nowMs: moment(now), newest: dateOr(newest), held, lastStartedMs, isStart };

  expect(ecbTimetable.isRunDue(state)).toBe(isDue);
});

it('no run is due on a holiday with nothing missing', () => {
  const [nowMs, lastStartedMs] = [at('2026-05-01T15:00:00Z'), at('2026-04-30T20:00:00Z')];
  const newest = isoDate('2026-04-30');

  expect(ecbTimetable.isRunDue({ nowMs, newest, held: [], lastStartedMs, isStart: false })).toBe(
    false,
  );
});

describe('nextRunMs of exchange rates', () => {
  it.each([
    ['an hour after the publication', '11-20T15:30', '11-20', '11-20T15:03', '11-20T16:03'],
    ['three minutes after none', '11-20T15:30', '11-19', '11-20T15:29', '11-20T15:32'],
    ['16:00, if one is missing before', '11-20T14:50', '11-18', '11-20T14:45', '11-20T15:00'],
    ['on Monday, on a Saturday', '11-21T12:00', '11-20', '11-20T22:03', '11-23T15:00'],
    ['on the Tuesday after Easter', '04-03T12:00', '04-02', '04-02T20:00', '04-07T14:00'],
  ])('is %s', (_, now, newest, last, next) => {
    const lastStartedMs = at(`2026-${last}Z`);
    const state = { newest: isoDate(`2026-${newest}`), held: [], lastStartedMs, isStart: false };

    expect(ecbTimetable.nextRunMs({ ...state, nowMs: at(`2026-${now}Z`) })).toBe(
      at(`2026-${next}Z`),
    );
  });

  it('is the first moment at which a run is due', () => {
    const [since, held] = [fc.nat(80 * hourMs), fc.boolean()];
    fc.assert(
      fc.property(anyMoment, fc.nat(3), since, held, fc.nat(), (nowMs, daysAgo, ...rest) => {
        const [sinceMs, isHeld, share] = rest;
        const newest = addDays(ecbTimetable.newestDueDate(nowMs), -daysAgo);
        const lastStartedMs = nowMs - sinceMs;
        const state = { newest, held: isHeld ? [ecbTimetable.today(nowMs)] : [], lastStartedMs };
        const next = ecbTimetable.nextRunMs({ ...state, nowMs, isStart: false }) ?? Number.NaN;
        expect(ecbTimetable.isRunDue({ ...state, nowMs: next, isStart: false })).toBe(true);
        fc.pre(next > nowMs);
        const before = nowMs + (share % (next - nowMs));
        expect(ecbTimetable.isRunDue({ ...state, nowMs: before, isStart: false })).toBe(false);
      }),
    );
  });
});

describe('a bank that is read at night (rule N8)', () => {
  const { timetable } = bankSeries.nbp;

  it.each<[string, string, string, isDue: boolean, hasFailed?: boolean, second?: string]>([
    ['when it has never run', '20 09:00', '', true],
    ['five minutes after midnight in Warsaw', '19 23:05', '19 22:30', true],
    ['before that', '19 23:04:59.999', '19 22:30', false],
    ['if a run began at midnight', '20 00:30', '19 23:00', false],
    ['if none has begun since midnight', '20 09:00', '19 22:59:59.999', true],
    ['an hour after a run of the day that failed', '20 09:00', '20 08:00', true, true],
    ['within an hour of it', '20 08:59', '20 08:00', false, true],
    ['an hour after a run of the day that succeeded', '20 09:00', '20 08:00', false],
    ['on a Sunday night', '21 23:05', '21 21:00', true],
    ['when a second answer is due', '21 00:10', '20 23:05', true, false, '21 00:10'],
    ['before that', '21 00:09:59.999', '20 23:05', false, false, '21 00:10'],
    ['within an hour of a run since', '21 01:09', '21 00:10', false, false, '21 00:10'],
    ['an hour after it', '21 01:10', '21 00:10', true, false, '21 00:10'],
  ])('has a run, or not: %s', (_, now, last, isDue, hasFailed, second) => {
    const lastStartedMs = last === '' ? undefined : moment(last);
    const secondAnswerMs = second === undefined ? undefined : moment(second);
    const own = { lastStartedMs, secondAnswerMs, isStart: false };
    const state = { nowMs: moment(now), held: [], ...own };
    const newest = timetable.newestDueDate(state.nowMs);
    const failed = hasFailed === undefined ? {} : { hasFailed };

    expect(timetable.isRunDue({ ...state, ...failed, newest })).toBe(isDue);
  });

  it.each([
    ['an hour later until midnight', '20 18:00', '20 17:50', '20 18:50'],
    ['after midnight', '20 22:30', '20 22:25', '20 23:05'],
    ['at once, if no run has begun since midnight', '21 08:00', '20 20:00', '21 08:00'],
    ['after midnight on a Saturday', '21 08:00', '21 07:00', '21 23:05'],
  ])('has its next run %s', (_, now, last, next) => {
    const [nowMs, lastStartedMs] = [moment(now), moment(last)];
    const newest = timetable.newestDueDate(nowMs);
    const state = { nowMs, newest, held: [], lastStartedMs, isStart: false };

    expect(timetable.nextRunMs(state)).toBe(moment(next));
    const secondAnswerMs = nowMs + 60_000;
    expect(timetable.nextRunMs({ ...state, secondAnswerMs })).toBeLessThanOrEqual(secondAnswerMs);
  });
});

describe('isOver', () => {
  it.each([
    ['19 22:59:59.999', false],
    ['19 23:00', true],
    ['21 00:00', true],
  ])('the 19th at %s UTC in Frankfurt: %s', (now, isOver) => {
    expect(ecbTimetable.isOver(isoDate('2026-11-19'), moment(now))).toBe(isOver);
  });
});
