import type { IsoDate } from '../../platform/time/time.ts';
import type { Series } from '../series.ts';
import type { FxSnapshot } from '../snapshot.ts';
import type { NamedDay } from './rules.ts';

/** The publications of a series that this process knows about. */
export type Known = {
  readonly series: Series;
  /** The dates that are stored, oldest first. */
  readonly dates: readonly IsoDate[];
  /** The table numbers of these dates; empty if the publisher has none. */
  readonly tables: readonly string[];
  /** By date the publications that are known and not stored, because the gate holds them. */
  readonly held: ReadonlyMap<string, readonly Pick<FxSnapshot, 'date' | 'table'>[]>;
  /** Every publication up to this day is stored or held; undefined if that is not known. */
  readonly completeThrough: IsoDate | undefined;
};

/** The place of a date among the stored ones. */
export type Place = {
  /** The index of the used publication; -1, or the count of all, if there is none. */
  readonly at: number;
  /** Its date; undefined if there is none. */
  readonly used: IsoDate | undefined;
};

/**
 * Finds the day that has to be decided before the used publication can be said to be the one that a law means: one on which
 * there may be a publication between it and the named day. Undefined if there is none.
 */
export type FindOpen = (named: NamedDay, place: Place, known: Known) => IsoDate | undefined;

/** The publication that a law means. */
export type Deciding =
  | { readonly kind: 'certain'; readonly date: IsoDate }
  /** The law does not say which of two publications. */
  | { readonly kind: 'notDecidable'; readonly dates: readonly IsoDate[] }
  /**
   * Another publication may lie between, or the period has not ended; `availableMs` is the next time at which that can be
   * decided.
   */
  | { readonly kind: 'notYet'; readonly availableMs: number }
  /** The named day is before the stored history. */
  | { readonly kind: 'beforeData' };

/**
 * Finds the publication that a law means, but only if no publication can exist between it and the named day.
 *
 * The answer is kept as immutable by caches, so it must hold whatever is stored later. Each series has its own proof
 * (`FindOpen`).
 */
export function findDeciding(named: NamedDay, known: Known, nowMs: number): Deciding {
  const { timetable, findOpen, disputedDays } = known.series;
  const [first] = known.dates;
  if (named.date < (first ?? timetable.days.firstPublicationDate)) return { kind: 'beforeData' };

  // A period that has not ended is not decided by a publication of its last day.
  const mustEnd = named.otherwise === 'next' || named.mustEnd === true;
  const { at, used } = findPlace(named, known.dates);
  const open = findOpen(named, { at, used }, known);
  if (open === undefined && used !== undefined) {
    if (mustEnd && !timetable.isOver(named.date, nowMs)) {
      return { kind: 'notYet', availableMs: timetable.endOf(named.date) };
    }
    if (!Object.hasOwn(disputedDays, used)) return { kind: 'certain', date: used };
    return { kind: 'notDecidable', dates: known.dates.slice(Math.max(0, at - 1), at + 1) };
  }
  const date = open ?? named.date;
  const arrivalMs = timetable.nextArrivalMs({ date, isHeld: known.held.has(date) }, nowMs);
  const earliestMs = mustEnd ? timetable.endOf(named.date) : 0;
  return { kind: 'notYet', availableMs: Math.max(arrivalMs, earliestMs) };
}

/** The stored publication of the named day, or the nearest one in the rule's direction. */
function findPlace({ date, otherwise }: NamedDay, dates: readonly IsoDate[]): Place {
  const after = countBefore(dates, date);
  const at = otherwise === 'next' || dates[after] === date ? after : after - 1;
  return { at, used: dates[at] };
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
