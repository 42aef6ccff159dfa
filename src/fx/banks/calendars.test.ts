import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addDays, isoDate } from '../../platform/time/time.ts';
import { isWeekend } from '../calendar.ts';
import { banks } from './banks.ts';
import type { BankName } from '../../platform/publication/data-set-kinds.ts';

/** The days of a year on which a bank publishes nothing, without weekends, as `MM-DD`. */
function holidaysOf(bank: BankName, year: string): string {
  const { isPublicationDay } = banks[bank].timetable.days;
  const found: string[] = [];
  for (let day = isoDate(`${year}-01-01`); day.startsWith(year); day = addDays(day, 1)) {
    if (!isWeekend(day) && !isPublicationDay(day)) found.push(day.slice(5));
  }
  return found.join(' ');
}

describe('the holidays of a bank (rule N7b)', () => {
  it.each([
    // Easter Monday; since 2016 Good Friday as well.
    ['cnb', '2015', '01-01 04-06 05-01 05-08 07-06 09-28 10-28 11-17 12-24 12-25'],
    ['cnb', '2016', '01-01 03-25 03-28 07-05 07-06 09-28 10-28 11-17 12-26'],
    ['cnb', '2025', '01-01 04-18 04-21 05-01 05-08 10-28 11-17 12-24 12-25 12-26'],
    ['cnb', '2026', '01-01 04-03 04-06 05-01 05-08 07-06 09-28 10-28 11-17 12-24 12-25'],
    // Easter Monday and Corpus Christi; since 2011 Epiphany, and since 2025 24 December as well.
    ['nbp', '2010', '01-01 04-05 05-03 06-03 11-01 11-11'],
    ['nbp', '2011', '01-06 04-25 05-03 06-23 08-15 11-01 11-11 12-26'],
    ['nbp', '2024', '01-01 04-01 05-01 05-03 05-30 08-15 11-01 11-11 12-25 12-26'],
    ['nbp', '2025', '01-01 01-06 04-21 05-01 06-19 08-15 11-11 12-24 12-25 12-26'],
    ['nbp', '2026', '01-01 01-06 04-06 05-01 06-04 11-11 12-24 12-25'],
  ] as const)('%s, %s', (bank, year, expected) => {
    expect(holidaysOf(bank, year)).toBe(expected);
  });
});

const archives = new URL('../../../../shared/upstreams/national-banks/', import.meta.url);

describe.skipIf(!existsSync(archives))('the archived years of the NBP', () => {
  it.each(['2016', '2017', '2018', '2019', '2020'])(
    '%s has a table on the days that the calendar calls open, and on no other',
    (year) => {
      const text = readFileSync(new URL(`nbp_archive_table-a_${year}.csv`, archives), 'latin1');
      const rows = [...text.matchAll(/^(\d{4})(\d\d)(\d\d);/gm)];
      const published = rows.map((row) => row.slice(1).join('-'));
      const { isPublicationDay } = banks.nbp.timetable.days;
      const open: string[] = [];
      for (let day = isoDate(`${year}-01-01`); day.startsWith(year); day = addDays(day, 1)) {
        if (isPublicationDay(day)) open.push(day);
      }

      expect(published.toSorted()).toEqual(open);
    },
  );
});
