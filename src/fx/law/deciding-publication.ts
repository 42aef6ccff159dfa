import { addDays, type IsoDate } from '../../platform/time/time.ts';
import { firstPublicationDate, isPublicationDay } from '../calendar.ts';
import { targetCalendar } from '../target-calendar.ts';
import { endOf, isOver, nextArrivalMs } from '../timetable.ts';
import type { NamedDay } from './rules.ts';

/** The publications that this process knows about. */
export type Known = {
  /** The dates that are stored, oldest first. */
  readonly dates: readonly IsoDate[];
  /** The dates of publications that wait for an operator's decision. */
  readonly held: ReadonlySet<string>;
};

/**
 * The publication that a law means. `notYet`: another publication may lie between, or the period has not ended;
 * `availableMs` is the next time at which that can be decided. `beforeData`: the named day is before the stored history.
 */
export type Deciding =
  | { readonly kind: 'certain'; readonly date: IsoDate }
  | { readonly kind: 'notYet'; readonly availableMs: number }
  | { readonly kind: 'beforeData' };

/** The last day that a date can have. */
const newestDay = '9999-12-31';

/**
 * Finds the publication that a law means, but only if no publication can exist between it and the named day.
 *
 * The answer is kept as immutable by caches, so it must hold whatever is stored later. A day counts as one that may have
 * a publication if a publication of it is held, or if the calendar calls it open and nothing is stored of it. Before
 * 2002 the calendar decides only about days after the newest stored one: closings by decision were frequent then.
 */
export function findDeciding(named: NamedDay, known: Known, nowMs: number): Deciding {
  const [first] = known.dates;
  if (named.date < (first ?? firstPublicationDate)) return { kind: 'beforeData' };

  const used = findUsed(named, known.dates);
  const open = findOpen(named, used, known);
  if (open === undefined && used !== undefined) {
    if (named.otherwise === 'previous' || isOver(named.date, nowMs)) {
      return { kind: 'certain', date: used };
    }
    return { kind: 'notYet', availableMs: endOf(named.date) };
  }
  const date = open ?? named.date;
  const arrivalMs = nextArrivalMs({ date, isHeld: known.held.has(date) }, nowMs);
  // A period that has not ended is not decided by a publication of its last day.
  const earliestMs = named.otherwise === 'next' ? endOf(named.date) : 0;
  return { kind: 'notYet', availableMs: Math.max(arrivalMs, earliestMs) };
}

/** The stored publication of the named day, or the nearest one in the rule's direction. */
function findUsed({ date, otherwise }: NamedDay, dates: readonly IsoDate[]): IsoDate | undefined {
  const at = countBefore(dates, date);
  return otherwise === 'next' || dates[at] === date ? dates[at] : dates[at - 1];
}

/**
 * The day that has to be decided first: of the days from the named one up to the used one, the used one excluded, the
 * nearest to the named one that may have a publication. Undefined if there is none.
 */
function findOpen(
  { date, otherwise }: NamedDay,
  used: IsoDate | undefined,
  known: Known,
): IsoDate | undefined {
  const step = otherwise === 'next' ? 1 : -1;
  const end = otherwise === 'next' ? newestDay : firstPublicationDate;
  for (let day = date; day !== used; day = addDays(day, step)) {
    if (mayHavePublication(day, known)) return day;
    if (day === end) return undefined;
  }
  return undefined;
}

function mayHavePublication(day: IsoDate, { dates, held }: Known): boolean {
  if (held.has(day)) return true;
  const isDecided = day >= targetCalendar.decidesFrom || day > (dates.at(-1) ?? '');
  return isDecided && isPublicationDay(day);
}

/** How many dates are before this one, by binary search. */
function countBefore(dates: readonly IsoDate[], date: IsoDate): number {
  let [low, high] = [0, dates.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((dates[middle] ?? '') < date) low = middle + 1;
    else high = middle;
  }
  return low;
}
