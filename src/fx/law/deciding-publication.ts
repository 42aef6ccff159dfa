import { addDays, type IsoDate } from '../../platform/time/time.ts';
import { countBefore, judgeAbsence, type Known } from '../absences/absence.ts';
import type { Series } from '../series.ts';
import type { NamedDay } from './rules.ts';

/** The publication that a law means. */
export type Deciding =
  | {
      readonly kind: 'certain';
      readonly date: IsoDate;
      /** Whether the answer may be kept as immutable: no absence that it rests on is proved by less than rule N7b says. */
      readonly isFinal: boolean;
    }
  /** The law does not say which of two publications. */
  | { readonly kind: 'notDecidable'; readonly dates: readonly IsoDate[] }
  /**
   * Another publication may lie between, or the period has not ended; `availableMs` is the next time at which that can be
   * decided.
   */
  | { readonly kind: 'notYet'; readonly availableMs: number }
  /** The named day is before the stored history. */
  | { readonly kind: 'beforeData' };

/** The last day that a date can have. */
const newestDay = '9999-12-31';

/**
 * Finds the publication that a law means, but only if no publication can exist between it and the named day.
 *
 * The answer is kept as immutable by caches, so it must hold whatever is stored later. The table of `absence.ts` says what
 * proves that a day has no publication.
 */
export function findDeciding(named: NamedDay, known: Known, nowMs: number): Deciding {
  const { series, dates, held } = known;
  const { timetable, disputedDays } = series;
  if (named.date < (dates[0] ?? timetable.days.firstPublicationDate)) return { kind: 'beforeData' };

  const earliestMs = findEarliest(named, series, nowMs);
  const { at, used } = findPlace(named, dates);
  const { open, isFinal } = judgeBetween(named, used, known, nowMs);
  if (open === undefined && used !== undefined) {
    if (nowMs < earliestMs) return { kind: 'notYet', availableMs: earliestMs };
    if (!Object.hasOwn(disputedDays, used)) return { kind: 'certain', date: used, isFinal };
    return { kind: 'notDecidable', dates: dates.slice(Math.max(0, at - 1), at + 1) };
  }
  const date = open?.day ?? named.date;
  const againMs = open?.againMs ?? 0;
  const expected = { date, isHeld: held.has(date), newest: dates.at(-1) };
  const arrivalMs = againMs > nowMs ? againMs : timetable.nextArrivalMs(expected, nowMs);
  return { kind: 'notYet', availableMs: Math.max(arrivalMs, earliestMs) };
}

/** The moment before which there is no answer, whatever is stored; 0 if it has passed. */
function findEarliest(
  { date, otherwise, mustEnd }: NamedDay,
  { timetable, isProvedByAnswers }: Series,
  nowMs: number,
): number {
  // A period that has not ended is not decided by a publication of its last day.
  if (otherwise === 'next' || mustEnd === true) {
    return timetable.isOver(date, nowMs) ? 0 : timetable.endOf(date);
  }
  // A day that has not begun has no rate of a national bank (rule N13).
  const before = addDays(date, -1);
  return !isProvedByAnswers || timetable.isOver(before, nowMs) ? 0 : timetable.endOf(before);
}

/**
 * Judges the days from the named one to the used one, the used one excluded. `open` is the nearest to the named one that may
 * have a publication; undefined if none may.
 */
function judgeBetween(
  { date, otherwise }: NamedDay,
  used: IsoDate | undefined,
  known: Known,
  nowMs: number,
): {
  readonly open: { readonly day: IsoDate; readonly againMs?: number } | undefined;
  readonly isFinal: boolean;
} {
  const step = otherwise === 'next' ? 1 : -1;
  const { firstPublicationDate } = known.series.timetable.days;
  const end = otherwise === 'next' ? newestDay : firstPublicationDate;
  let isFinal = true;
  for (let day = date; day !== used; day = addDays(day, step)) {
    const absence = judgeAbsence(day, known, nowMs);
    if (absence.kind === 'open') return { open: { ...absence, day }, isFinal };
    if (absence.kind === 'provedByLess') isFinal = false;
    if (day === end) break;
  }
  return { open: undefined, isFinal };
}

/** The stored publication of the named day, or the nearest one in the rule's direction. */
function findPlace({ date, otherwise }: NamedDay, dates: readonly IsoDate[]) {
  const after = countBefore(dates, date);
  const at = otherwise === 'next' || dates[after] === date ? after : after - 1;
  return { at, used: dates[at] };
}
