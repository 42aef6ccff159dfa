import { addDays, dayOfWeek, type IsoDate } from '../../platform/time/time.ts';
import { easterSunday } from '../ecb/calendar.ts';

/** The days of a year on which a bank publishes nothing, beside weekends. */
export interface Holidays {
  /** As `MM-DD`. */
  readonly fixed: readonly string[];
  /** Days after Easter Sunday. */
  readonly fromEaster: readonly number[];
  /** The first year of a day, as `MM-DD` or as days after Easter Sunday, if that is later than 2004. */
  readonly since: Readonly<Record<string, number>>;
}

export function isWorkingDay(date: IsoDate, { fixed, since, fromEaster }: Holidays): boolean {
  if (dayOfWeek(date) > 5) return false;
  const [year, monthDay] = [Number(date.slice(0, 4)), date.slice(5)];
  const isSince = (day: string | number): boolean => year >= (since[day] ?? 0);
  if (fixed.includes(monthDay) && isSince(monthDay)) return false;
  const easter = easterSunday(year);
  return !fromEaster.some((days) => isSince(days) && date === addDays(easter, days));
}
