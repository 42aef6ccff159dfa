import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  dateIn,
  daysBetween,
  formatInstant,
  isoDate,
  minuteOfDayIn,
  momentIn,
  monthOf,
  parseIsoDate,
} from './time.ts';

describe('parseIsoDate (interface 1, contract C5)', () => {
  it.each(['2026-11-20', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])(
    'reads %s',
    (text) => {
      expect(parseIsoDate(text)).toBe(text);
    },
  );

  const refused =
    '|2026-02-30|2026-02-29|1900-02-29|2026-11-31|2026-00-10|2026-13-01|2026-11-00|2026-12-32|0000-01-01' +
    '|2026-2-3|2026/11/20|20261120|2026-11-20T00:00:00Z| 2026-11-20|2026-11-20\n|２０２６-11-20|+2026-11-20' +
    '|12026-11-20|2026-11-20\n2026-11-20';

  it.each(refused.split('|'))('refuses %j', (text) => {
    expect(parseIsoDate(text)).toBeUndefined();
  });

  it('agrees with the calendar of Date on every year, month and day', () => {
    const part = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(part(9999), part(15), part(35), (year, month, day) => {
        const text = [String(year).padStart(4, '0'), month, day]
          .map((value) => String(value).padStart(2, '0'))
          .join('-');
        const date = new Date(0);
        date.setUTCFullYear(year, month - 1, day);
        const isReal = year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
        expect(parseIsoDate(text)).toBe(isReal ? text : undefined);
      }),
    );
  });
});

describe('dateIn and minuteOfDayIn', () => {
  it.each([
    ['before midnight in winter', '2026-11-20T22:59:59.999Z', '2026-11-20', 1439],
    ['midnight in winter', '2026-11-20T23:00:00.000Z', '2026-11-21', 0],
    ['midnight in summer', '2026-07-20T22:00:00.000Z', '2026-07-21', 0],
    ['16:00 in winter', '2026-11-20T15:00:00.000Z', '2026-11-20', 960],
    ['16:05 in summer', '2026-07-20T14:05:59.000Z', '2026-07-20', 965],
    ['the hour that is skipped in spring', '2026-03-29T01:00:00.000Z', '2026-03-29', 180],
    ['the hour that comes twice in autumn', '2026-10-25T01:30:00.000Z', '2026-10-25', 150],
  ])('reads the wall clock of Berlin at %s', (_, moment, date, minute) => {
    expect(dateIn('Europe/Berlin', Date.parse(moment))).toBe(date);
    expect(minuteOfDayIn('Europe/Berlin', Date.parse(moment))).toBe(minute);
  });
});

describe('momentIn', () => {
  it.each([
    ['in winter', '2026-11-20', 960, '2026-11-20T15:00:00.000Z'],
    ['in summer', '2026-07-20', 960, '2026-07-20T14:00:00.000Z'],
    ['at midnight', '2026-07-20', 0, '2026-07-19T22:00:00.000Z'],
    ['after an hour that does not exist', '2026-03-29', 150, '2026-03-29T01:30:00.000Z'],
    ['the first of an hour that comes twice', '2026-10-25', 150, '2026-10-25T00:30:00.000Z'],
  ])('finds the moment %s', (_, date, minute, moment) => {
    expect(formatInstant(momentIn('Europe/Berlin', isoDate(date), minute))).toBe(moment);
  });
});

describe('addDays, daysBetween and dayOfWeek', () => {
  it.each([
    ['over a leap day', '2024-02-28', 2, '2024-03-01'],
    ['over a year', '2026-12-31', 1, '2027-01-01'],
    ['backwards', '2026-03-01', -1, '2026-02-28'],
    ['not at all', '2026-11-20', 0, '2026-11-20'],
  ])('count days %s', (_, from, days, to) => {
    expect(addDays(isoDate(from), days)).toBe(to);
    expect(daysBetween(isoDate(from), isoDate(to))).toBe(days);
  });
});

describe('monthOf', () => {
  it.each([
    ['the first day', '2026-11-01', '2026-11-01', '2026-12-01'],
    ['the last day', '2026-11-30', '2026-11-01', '2026-12-01'],
    ['December', '2026-12-31', '2026-12-01', '2027-01-01'],
    ['a day that the next month does not have', '2026-01-31', '2026-01-01', '2026-02-01'],
    ['a leap day', '2024-02-29', '2024-02-01', '2024-03-01'],
  ])('finds the month of %s', (_, date, first, nextFirst) => {
    expect(monthOf(isoDate(date))).toEqual({ first, nextFirst });
  });
});
