import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyMoment } from '../../test/support/arbitraries.ts';
import { addDays, daysBetween, isoDate } from '../platform/time/time.ts';
import {
  askedAgainMs,
  isRunDue,
  missedVersions,
  nextRunMs,
  newestDueVersion,
  versionAt,
  versionsToAsk,
} from './timetable.ts';

const at = (moment: string): number => Date.parse(moment);
const hourMs = 3_600_000;
const dateOr = (date: string | undefined) => (date === undefined ? undefined : isoDate(date));

it.each([
  ['2026-11-20T22:59:59Z', '2026-11-20'],
  ['2026-11-20T23:00:00Z', '2026-11-21'],
  ['2026-07-20T21:59:59Z', '2026-07-20'],
  ['2026-07-20T22:00:00Z', '2026-07-21'],
])('the version at %s is the date in Brussels (contract C12)', (moment, version) => {
  expect(versionAt(at(moment))).toBe(version);
});

it.each([
  ['2026-11-20T06:59:59.999Z', '2026-11-19'],
  ['2026-11-20T07:00:00.000Z', '2026-11-20'],
  ['2026-07-20T07:00:00.000Z', '2026-07-20'],
  ['2026-11-21T07:00:00.000Z', '2026-11-21'],
  ['2026-11-20T23:30:00.000Z', '2026-11-20'],
])('the newest due version at %s begins at 07:00 UTC (interface 1)', (moment, version) => {
  expect(newestDueVersion(at(moment))).toBe(version);
});

describe('versionsToAsk', () => {
  const ask = (newest: string | undefined, until: string, held: readonly string[] = []) =>
    versionsToAsk({ newest: dateOr(newest), until: isoDate(until), held });

  it.each([
    [undefined, '2026-11-20', [], ['20']],
    ['2026-11-20', '2026-11-20', [], ['20']],
    ['2026-11-22', '2026-11-20', [], ['20']],
    ['2026-11-19', '2026-11-20', [], ['20']],
    ['2026-11-17', '2026-11-20', [], ['18', '19', '20']],
    ['2026-11-17', '2026-11-20', ['2026-11-18', '2026-11-20'], ['19', '20']],
  ])('after %s, until %s, with %j held, are %j', (newest, until, held, days) => {
    expect(ask(newest, until, held)).toEqual(days.map((day) => `2026-11-${day}`));
  });

  it.each([
    [400, '2025-10-17'],
    [401, '2025-10-16'],
  ])('are the newest 400 days of a gap of %d days', (gap, newest) => {
    expect(daysBetween(isoDate(newest), isoDate('2026-11-21'))).toBe(gap);

    const versions = ask(newest, '2026-11-21');

    expect([versions.length, versions[0]]).toEqual([400, '2025-10-18']);
  });
});

it.each([
  [undefined, 1],
  ['2026-11-20', 0],
  ['2026-11-21', 0],
  ['2026-11-19', 1],
  ['2026-11-13', 7],
])('with %s as the newest, %i versions are missed', (newest, missed) => {
  expect(missedVersions(dateOr(newest), at('2026-11-20T07:00:00Z'))).toBe(missed);
});

/** A day of November 2026 with a time, as in `20 07:00:03`. */
const moment = (text: string): number => at(`2026-11-${text.replace(' ', 'T')}Z`);

it.each([
  ['at 07:00 UTC', '20 07:00:00', '2026-11-19', '19 07:00:03', true],
  ['before 07:00 UTC', '20 06:59:59.999', '2026-11-19', '19 07:00:03', false],
  ['just after a run for yesterday', '20 07:00:00', '2026-11-19', '20 06:59:00', true],
  ['an hour after a failure', '20 08:00:03', '2026-11-19', '20 07:00:03', true],
  ['within an hour of a failure', '20 08:00:02.999', '2026-11-19', '20 07:00:03', false],
  ['when the day is published', '20 12:00:00', '2026-11-20', '20 07:00:03', false],
  ['when it has never run', '20 07:10:00', undefined, undefined, true],
  ['five minutes after a failed first run', '20 07:15:00', undefined, '20 07:10:00', true],
  ['within five minutes of it', '20 07:14:59.999', undefined, '20 07:10:00', false],
  ['after the clock was set back', '20 07:10:00', '2026-11-19', '20 09:00:00', true],
  ['at a start with a day missing', '20 07:10:00', '2026-11-19', '20 07:09:00', true],
  ['at a start with nothing missing', '20 12:00:00', '2026-11-20', undefined, false],
])('a run is due, or not: %s (interface 1)', (what, now, newest, last, isDue) => {
  const lastStartedMs = last === undefined ? undefined : moment(last);
  const isStart = what.startsWith('at a start');

  expect(isRunDue({ nowMs: moment(now), newest: dateOr(newest), lastStartedMs, isStart })).toBe(
    isDue,
  );
});

describe('askedAgainMs of rates', () => {
  it.each([
    ['hourly, if it is the newest day that is due', '2026-11-20', '2026-11-19', '20 13:00:00'],
    ['never, if later days are queried', '2026-11-19', '2026-11-18', undefined],
    ['when it is due, if days before it are missing', '2026-11-21', '2026-11-19', '21 07:00:00'],
    ['five minutes after it, if it is the first', '2026-11-20', undefined, '20 12:05:00'],
  ])('is %s', (_, version, newest, again) => {
    const nowMs = moment('20 12:00:00');
    const state = { nowMs, newest: dateOr(newest), held: [], lastStartedMs: nowMs, isStart: false };

    expect(askedAgainMs(isoDate(version), state)).toBe(
      again === undefined ? undefined : moment(again),
    );
  });
});

describe('nextRunMs of rates', () => {
  it.each([
    ['07:00 UTC, if no version is missing', '2026-11-20', '20 07:00:00', '21 07:00:00'],
    ['an hour after a run without a publication', '2026-11-19', '20 11:30:00', '20 12:30:00'],
    ['five minutes after a failed first run', undefined, '20 11:58:00', '20 12:03:00'],
    ['now, if the last run is an hour ago', '2026-11-19', '20 07:00:00', '20 12:00:00'],
    ['a day later, if tomorrow is published', '2026-11-21', '20 07:00:00', '22 07:00:00'],
  ])('is %s', (_, newest, last, next) => {
    const state = { newest: dateOr(newest), held: [], lastStartedMs: moment(last), isStart: false };

    expect(nextRunMs({ ...state, nowMs: moment('20 12:00:00') })).toBe(moment(next));
  });

  it('is the first moment at which a run is due', () => {
    const missing = fc.integer({ min: -1, max: 3 });
    fc.assert(
      fc.property(anyMoment, missing, fc.nat(30 * hourMs), fc.nat(), (nowMs, missed, ...rest) => {
        const [sinceMs, share] = rest;
        const newest = addDays(newestDueVersion(nowMs), -missed);
        const state = { newest, held: [], lastStartedMs: nowMs - sinceMs, isStart: false };
        const next = nextRunMs({ ...state, nowMs }) ?? Number.NaN;
        expect(isRunDue({ ...state, nowMs: next })).toBe(true);
        fc.pre(next > nowMs);
        const before = nowMs + (share % (next - nowMs));
        expect(isRunDue({ ...state, nowMs: before })).toBe(false);
      }),
    );
  });
});
