import { addDays, type IsoDate } from '../../platform/time/time.ts';
import { ecbDays, targetCalendar } from '../target-calendar.ts';
import type { FindOpen, Known } from './deciding-publication.ts';

/** The last day that a date can have. */
const newestDay = '9999-12-31';

/**
 * The proof of the ECB's series: the calendar of TARGET. Of the days from the named one up to the used one, the used one
 * excluded, the nearest to the named one that may have a publication.
 *
 * A day counts as one that may have a publication if a publication of it is held, or if the calendar calls it open and
 * nothing is stored of it. Before 2002 the calendar decides only about days after the newest stored one: closings by
 * decision were frequent then.
 */
export const findOpenByCalendar: FindOpen = ({ date, otherwise }, { used }, known) => {
  const step = otherwise === 'next' ? 1 : -1;
  const end = otherwise === 'next' ? newestDay : ecbDays.firstPublicationDate;
  for (let day = date; day !== used; day = addDays(day, step)) {
    if (mayHavePublication(day, known)) return day;
    if (day === end) return undefined;
  }
  return undefined;
};

function mayHavePublication(day: IsoDate, { dates, held }: Known): boolean {
  if (held.has(day)) return true;
  const isDecided = day >= targetCalendar.decidesFrom || day > (dates.at(-1) ?? '');
  return isDecided && ecbDays.isPublicationDay(day);
}
