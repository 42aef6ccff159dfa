import { addDays, dayOfWeek, isoDate, type IsoDate } from '../platform/time/time.ts';

/** The days of the year on which a bank publishes nothing, from a year on until the next entry of the table. */
export type ClosingDays = {
  readonly fromYear: number;
  /** Days of the week, 1 for Monday to 7 for Sunday. */
  readonly weekdays: readonly number[];
  /** Days of each year as `MM-DD`. One that falls on a weekend is not moved. */
  readonly fixed: readonly string[];
  /** Days after Easter Sunday of the Western churches; negative for days before it. */
  readonly fromEaster: readonly number[];
  readonly source: string;
};

/** The days on which a bank publishes. */
export type Calendar = {
  readonly firstPublicationDate: IsoDate;
  /** The newest first. */
  readonly closingDays: readonly ClosingDays[];
  /** Single closings by decision, with their source. Such a day looks like a missing publication until it is here. */
  readonly singleClosings: Readonly<Record<string, string>>;
};

/** Answers about the publication days of one bank. */
export type PublicationDays = {
  /** The first day with a publication. */
  readonly firstPublicationDate: IsoDate;
  /** Whether the bank publishes on a date; false before the first publication and before the first year of the calendar. */
  readonly isPublicationDay: (date: IsoDate) => boolean;
  /** The newest publication day up to a date, that date included; the first one for anything earlier. */
  readonly newestPublicationDay: (date: IsoDate) => IsoDate;
  /** How many publication days lie after one date, up to and including another. */
  readonly countPublicationDays: (after: IsoDate, to: IsoDate) => number;
};

/** Makes the functions about the publication days of a calendar. */
export function createPublicationDays(calendar: Calendar): PublicationDays {
  const { firstPublicationDate } = calendar;
  const isPublicationDay = (date: IsoDate): boolean =>
    date >= firstPublicationDate && isOpen(calendar, date);
  return {
    firstPublicationDate,
    isPublicationDay,
    newestPublicationDay: (date) => {
      let day = date;
      while (day > firstPublicationDate && !isPublicationDay(day)) day = addDays(day, -1);
      return day < firstPublicationDate ? firstPublicationDate : day;
    },
    countPublicationDays: (after, to) => {
      let count = 0;
      for (let day = addDays(after, 1); day <= to; day = addDays(day, 1)) {
        if (isPublicationDay(day)) count += 1;
      }
      return count;
    },
  };
}

function isOpen({ closingDays, singleClosings }: Calendar, date: IsoDate): boolean {
  if (Object.hasOwn(singleClosings, date)) return false;
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
