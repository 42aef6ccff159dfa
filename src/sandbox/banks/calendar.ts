import { addDays, dayOfWeek, type IsoDate } from '../../platform/time/time.ts';
import { easterSunday } from '../ecb/calendar.ts';

/** The days of a year on which a bank publishes nothing, beside weekends. */
export interface Holidays {
  /** As `MM-DD`. */
  readonly fixed: readonly string[];
  /** The first year in which a fixed day is one, if that is later than 2004. */
  readonly since: Readonly<Record<string, number>>;
  /** Days after Easter Sunday. */
  readonly fromEaster: readonly number[];
}

export const polishHolidays: Holidays = {
  fixed: '01-01 01-06 05-01 05-03 08-15 11-01 11-11 12-24 12-25 12-26'.split(' '),
  since: { '01-06': 2011, '12-24': 2025 },
  fromEaster: [1, 60],
};

/** Good Friday was none before 2016; the generated history has it always. */
export const czechHolidays: Holidays = {
  fixed: '01-01 05-01 05-08 07-05 07-06 09-28 10-28 11-17 12-24 12-25 12-26'.split(' '),
  since: {},
  fromEaster: [-2, 1],
};

export function isWorkingDay(date: IsoDate, { fixed, since, fromEaster }: Holidays): boolean {
  if (dayOfWeek(date) > 5) return false;
  const [year, monthDay] = [Number(date.slice(0, 4)), date.slice(5)];
  if (fixed.includes(monthDay) && year >= (since[monthDay] ?? 0)) return false;
  const easter = easterSunday(year);
  return !fromEaster.some((days) => date === addDays(easter, days));
}
