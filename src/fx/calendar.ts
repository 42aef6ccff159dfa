import { addDays, dayOfWeek, isoDate, type IsoDate } from '../platform/time/time.ts';
import { targetCalendar } from './target-calendar.ts';

/** The first day with euro reference rates. */
export const firstPublicationDate = isoDate('1999-01-04');

/**
 * Whether the ECB publishes on a date: TARGET is open.
 *
 * False before the first publication of all and before the first year of the calendar.
 */
export function isPublicationDay(date: IsoDate): boolean {
  const { closingDays, singleClosings } = targetCalendar;
  if (date < firstPublicationDate || Object.hasOwn(singleClosings, date)) return false;
  const year = Number(date.slice(0, 4));
  const closing = closingDays.find(({ fromYear }) => fromYear <= year);
  if (closing === undefined || closing.weekdays.includes(dayOfWeek(date))) return false;
  if (closing.fixed.includes(date.slice(5))) return false;
  if (closing.fromEaster.length === 0) return true;
  const easterSunday = easter(year);
  return !closing.fromEaster.some((days) => date === addDays(easterSunday, days));
}

export function isWeekend(date: IsoDate): boolean {
  return dayOfWeek(date) >= 6;
}

/** The newest publication day up to a date, that date included; the first one for anything earlier. */
export function newestPublicationDay(date: IsoDate): IsoDate {
  let day = date;
  while (day > firstPublicationDate && !isPublicationDay(day)) day = addDays(day, -1);
  return day < firstPublicationDate ? firstPublicationDate : day;
}

/** How many publication days lie after one date, up to and including another. */
export function countPublicationDays(after: IsoDate, to: IsoDate): number {
  let count = 0;
  for (let day = addDays(after, 1); day <= to; day = addDays(day, 1)) {
    if (isPublicationDay(day)) count += 1;
  }
  return count;
}

/** Easter Sunday of a year in the Gregorian calendar (Meeus, Astronomical Algorithms, chapter 8). */
function easter(year: number): IsoDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d =
    (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  const month = Math.floor(f / 31);
  const day = (f % 31) + 1;
  return isoDate(`${year}-0${month}-${String(day).padStart(2, '0')}`);
}
