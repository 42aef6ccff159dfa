import { addDays, dayOfWeek, type IsoDate, isoDate } from '../../platform/time/time.ts';

/** The day of the first euro reference rates. */
export const firstFixingDate: IsoDate = isoDate('1999-01-04');

/**
 * Whether the ECB publishes on this day: TARGET is open.
 *
 * Every year since 2002 has the same closing days. Before, 31 December was a closing day in 1999 and
 * 2001; Easter, 1 May and 26 December were none in 1999.
 */
export function isPublicationDay(date: IsoDate): boolean {
  return date >= firstFixingDate && dayOfWeek(date) <= 5 && !isClosingDay(date);
}

/** The last publication day of a year: the day of a year-end fixing. */
export function lastPublicationDayOf(year: number): IsoDate {
  return publicationDayOnOrBefore(isoDate(`${year}-12-31`));
}

/** The newest publication day that is not after the date. */
export function publicationDayOnOrBefore(date: IsoDate): IsoDate {
  let day = date;
  while (!isPublicationDay(day)) day = addDays(day, -1);
  return day;
}

function isClosingDay(date: IsoDate): boolean {
  const year = Number(date.slice(0, 4));
  const monthDay = date.slice(5);

  if (monthDay === '01-01' || monthDay === '12-25') return true;
  if (monthDay === '12-31') return year === 1999 || year === 2001;
  if (year === 1999) return false;
  if (monthDay === '05-01' || monthDay === '12-26') return true;

  const easter = easterSunday(year);
  return date === addDays(easter, -2) || date === addDays(easter, 1);
}

/** Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher). */
export function easterSunday(year: number): IsoDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  const day = ((h + l - 7 * m + 114) % 31) + 1;
  return isoDate(`${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`);
}
