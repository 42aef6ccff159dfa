import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, isoDate, type IsoDate } from '../platform/time/time.ts';
import { ecbDays } from './ecb/calendar.ts';

const { countPublicationDays, firstPublicationDate, isPublicationDay, newestPublicationDay } =
  ecbDays;

const anyDay: fc.Arbitrary<IsoDate> = fc
  .integer({ min: 0, max: 365 * 120 })
  .map((days) => addDays(isoDate('1998-01-01'), days));

/** Easter Sunday by Oudin's algorithm of 1940, not the one that the calendar uses. */
function easterByOudin(year: number): IsoDate {
  const floor = Math.trunc;
  const century = floor(year / 100);
  const golden = year % 19;
  const k = floor((century - 17) / 25);
  let i = (century - floor(century / 4) - floor((century - k) / 3) + 19 * golden + 15) % 30;
  i -= floor(i / 28) * (1 - floor(i / 28) * floor(29 / (i + 1)) * floor((21 - golden) / 11));
  const j = (year + floor(year / 4) + i + 2 - century + floor(century / 4)) % 7;
  const month = 3 + floor((i - j + 40) / 44);
  const day = i - j + 28 - 31 * floor(month / 4);
  return isoDate(`${year}-0${month}-${String(day).padStart(2, '0')}`);
}

describe('isPublicationDay (interface 4.4)', () => {
  it.each([
    // The first of all, Fridays, Christmas Eve and turns of a year.
    '1999-01-04 2026-11-20 2026-12-24 2026-12-31 2002-12-31 2007-12-31 2024-12-31',
    // A holiday of Germany alone, Assumption, Ascension, Whit Monday.
    '2025-10-03 2025-08-15 2026-05-14 2026-05-25',
    // Easter of 1999, when TARGET kept other days, and the days around that of 2026.
    '1999-04-02 1999-04-05 2026-04-02 2026-04-07',
  ])('is true for %s', (dates) => {
    expect(dates.split(' ').filter((date) => !isPublicationDay(isoDate(date)))).toEqual([]);
  });

  it.each([
    // Weekdays before the first, and a weekend.
    '1999-01-01 1998-12-30 2026-11-21 2026-11-22',
    // New Year, Good Friday, Easter Monday, Labour Day, Christmas.
    '2026-01-01 2026-04-03 2026-04-06 2026-05-01 2000-05-01 2025-12-25 2025-12-26',
    // The turn of 1999, and that of 2001, for the euro in cash.
    '1999-12-31 2001-12-31',
  ])('is false for %s', (dates) => {
    expect(dates.split(' ').filter((date) => isPublicationDay(isoDate(date)))).toEqual([]);
  });

  it('is false on Good Friday and Easter Monday of every year, and on no other day around them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2000, max: 9999 }), (year) => {
        const sunday = easterByOudin(year);
        const open = [-3, -2, -1, 0, 1, 2].map((days) => isPublicationDay(addDays(sunday, days)));
        expect(open).toEqual([true, false, false, false, false, true]);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('newestPublicationDay', () => {
  it.each([
    ['itself', '2026-11-20', '2026-11-20'],
    ['Friday, on a Sunday', '2026-11-22', '2026-11-20'],
    ['Thursday, on Easter Monday', '2026-04-06', '2026-04-02'],
    ['the first, long before it', '1990-01-01', '1999-01-04'],
    ['the first, on the first', '1999-01-04', '1999-01-04'],
  ])('is %s: %s', (_, date, newest) => {
    expect(newestPublicationDay(isoDate(date))).toBe(newest);
  });

  it('is the last publication day that is not after the date', () => {
    fc.assert(
      fc.property(anyDay, (date) => {
        fc.pre(date >= firstPublicationDate);
        const newest = newestPublicationDay(date);
        expect(isPublicationDay(newest)).toBe(true);
        expect(newest <= date).toBe(true);
        expect(countPublicationDays(newest, date)).toBe(0);
      }),
    );
  });
});

describe('countPublicationDays', () => {
  it.each([
    ['none to the same date', '2026-11-20', '2026-11-20', 0],
    ['none over a weekend', '2026-11-20', '2026-11-22', 0],
    ['the last one, not the first', '2026-11-20', '2026-11-23', 1],
    ['over Easter', '2026-04-02', '2026-04-07', 1],
    ['in a week', '2026-11-16', '2026-11-20', 4],
    ['none backwards', '2026-11-20', '2026-11-16', 0],
  ])('counts %s', (_, after, to, count) => {
    expect(countPublicationDays(isoDate(after), isoDate(to))).toBe(count);
  });
});
