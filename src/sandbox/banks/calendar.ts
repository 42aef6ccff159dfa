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

export function isWorkingDay(date: IsoDate, { fixed, since, fromEaster }: Holidays): boolean {
  if (dayOfWeek(date) > 5) return false;
  const [year, monthDay] = [Number(date.slice(0, 4)), date.slice(5)];
  if (fixed.includes(monthDay) && year >= (since[monthDay] ?? 0)) return false;
  const easter = easterSunday(year);
  return !fromEaster.some((days) => date === addDays(easter, days));
}
