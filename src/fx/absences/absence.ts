import { addDays, isoDate, type IsoDate } from '../../platform/time/time.ts';
import type { AbsenceProofs, Series } from '../series.ts';
import type { FxSnapshot } from '../snapshot.ts';
import { targetCalendar } from '../ecb/calendar.ts';

/** Two answers that lack a publication of an open day prove that there is none if they were made so far apart. */
const answersApartMs = 3_600_000;
/** So long after the first such answer the job asks again. Five minutes more, because answers carry whole seconds. */
const secondAnswerMs = 65 * 60_000;

/**
 * What proves an absence (rule N7b, legal-fx L4): the one table behind answers by law, their `Retry-After` and caching, the
 * gate, and the days that the job of a bank asks for again.
 *
 * Beside it, for all banks: the word of an operator (`fx closed`) proves a day, and a held publication disproves it. For a bank
 * that numbers its tables, a later table whose number follows directly on the one before proves the days between them,
 * except at the end of a year; and a missing number disproves them.
 */
export const absenceProofs = {
  /** The ECB: the calendar of TARGET decides. An open day without a publication is a hole in the stored data. */
  target: {
    closed: 'calendar',
    open: 'operator',
    endOfYear: 'operator',
    historyDecidesBefore: targetCalendar.decidesFrom,
  },
  /** The NBP numbers its tables in each year: after the last one of a year, no number shows that one is missing. */
  numbered: { closed: 'one answer', open: 'two answers', endOfYear: 'operator' },
  /** The CNB declares each fixing valid for the working day and the Saturday, Sunday or public holiday after it (rule N7). */
  declared: { closed: 'calendar', open: 'two answers', endOfYear: 'two answers' },
} as const satisfies Record<string, AbsenceProofs>;

/** What is stored about a day without a publication; moments in ms since the epoch. */
export type StoredAbsence = {
  /** When the first and the last answer without a publication of the day were made, after its end; undefined for none. */
  readonly firstAtMs: number | undefined;
  readonly lastAtMs: number | undefined;
  /** Whether an operator said that the bank published nothing. */
  readonly isClosed: boolean;
};

/** All that is known about the publications of a series. */
export type Known = {
  readonly series: Series;
  /** The dates that are stored, oldest first. */
  readonly dates: readonly IsoDate[];
  /** The table numbers of these dates; empty if the publisher has none. */
  readonly tables: readonly string[];
  /** By date the publications that are known and not stored, because the gate holds them or an operator rejected them. */
  readonly held: ReadonlyMap<string, readonly Pick<FxSnapshot, 'date' | 'table'>[]>;
  /** The bank was asked for every day up to this one after its end; undefined if it was not. */
  readonly completeThrough: IsoDate | undefined;
  /** Up to this day version 0.3 has answered by one answer of the bank (docs/upgrading.md); undefined for none. */
  readonly earlierThrough: IsoDate | undefined;
  /** By date the days without a publication of which something is stored. */
  readonly absences: ReadonlyMap<string, StoredAbsence>;
};

/** What is known about a day without a stored publication. */
export type Absence =
  /** It has none. */
  | { readonly kind: 'proved' }
  /** Version 0.3 took it for proved, by less than the table says; its answers are repeated, and not kept as immutable. */
  | { readonly kind: 'provedByLess' }
  /** It may have one. `againMs` is when the job asks again for the second answer; undefined if an answer is no proof. */
  | {
      readonly kind: 'open';
      readonly because: 'held' | 'unread' | 'once read' | 'number missing' | 'end of year' | 'hole';
      readonly againMs?: number;
    };

const proved: Absence = { kind: 'proved' };

/** Judges a day of which no publication is stored. */
export function judgeAbsence(day: IsoDate, known: Known, nowMs: number): Absence {
  const { series, absences, held, completeThrough, dates } = known;
  const stored = absences.get(day);
  if (stored?.isClosed === true) return proved;
  if (held.has(day)) return { kind: 'open', because: 'held' };

  const place = findPlaceOfDay(day, known, nowMs);
  if (place === 'followed') return proved;
  if (place === 'number missing') return { kind: 'open', because: place };

  const { proofs, timetable } = series;
  if (proofs.historyDecidesBefore !== undefined && day < proofs.historyDecidesBefore) {
    if (day <= (dates.at(-1) ?? '')) return proved;
  }
  const isClosed = !timetable.days.isPublicationDay(day);
  const isEndOfYear = place === 'end of year';
  switch (isClosed ? proofs.closed : isEndOfYear ? proofs.endOfYear : proofs.open) {
    case 'calendar':
      return proved;
    case 'one answer': {
      const isRead = completeThrough !== undefined && completeThrough >= day;
      return isRead ? proved : { kind: 'open', because: 'unread' };
    }
    case 'two answers':
      return isTwiceRead(stored) ? proved : judgeOnce(day, known, stored);
    case 'operator':
      if (isTwiceRead(stored) || !isAnsweredEarlier(day, known)) {
        return { kind: 'open', because: isEndOfYear ? 'end of year' : 'hole' };
      }
      return { kind: 'provedByLess' };
  }
}

function judgeOnce(day: IsoDate, known: Known, stored: StoredAbsence | undefined): Absence {
  if (isAnsweredEarlier(day, known)) return { kind: 'provedByLess' };
  const againMs = secondAnswerDueMs(stored);
  return againMs === undefined
    ? { kind: 'open', because: 'unread' }
    : { kind: 'open', because: 'once read', againMs };
}

function isAnsweredEarlier(day: IsoDate, { earlierThrough }: Known): boolean {
  return earlierThrough !== undefined && day <= earlierThrough;
}

/** Whether two answers lack a publication of a day that were made far enough apart. */
export function isTwiceRead(stored: StoredAbsence | undefined): boolean {
  const { firstAtMs, lastAtMs } = stored ?? {};
  if (firstAtMs === undefined || lastAtMs === undefined) return false;
  return lastAtMs - firstAtMs >= answersApartMs;
}

/** When the job asks for the second answer about a day; undefined before the first one, and after the second one. */
export function secondAnswerDueMs(stored: StoredAbsence | undefined): number | undefined {
  const { firstAtMs, isClosed = false } = stored ?? {};
  return firstAtMs === undefined || isClosed || isTwiceRead(stored)
    ? undefined
    : firstAtMs + secondAnswerMs;
}

/** What the numbers of tables say about a day between them; undefined if they say nothing. */
function findPlaceOfDay(
  day: IsoDate,
  known: Known,
  nowMs: number,
): 'followed' | 'number missing' | 'end of year' | undefined {
  const { series, dates, tables } = known;
  const { numbers } = series;
  const at = countBefore(dates, day);
  const [before, after] = [dates[at - 1], dates[at]];
  const table = tables[at - 1];
  if (numbers === undefined || before === undefined || table === undefined) return undefined;

  const next = tables[at];
  const later = listHeldAfter(table, known);
  if (after === undefined || next === undefined) {
    const isShown = later.some(
      (one) => one.date <= day || !numbers.follows(table, one.table ?? ''),
    );
    if (isShown) return 'number missing';
    return isSameYear(before, day) && isEndOfYear(day, series, nowMs) ? 'end of year' : undefined;
  }
  const isHeldBetween = later.some((one) => numbers.compare(one.table ?? '', next) < 0);
  if (isHeldBetween) return 'number missing';
  // Table 001 of the next year says nothing about the end of this one.
  if (!isSameYear(day, after)) return 'end of year';
  if (numbers.follows(table, next)) return 'followed';
  return isGapClosed({ from: before, to: after }, known) ? undefined : 'number missing';
}

/**
 * Whether the word of an operator explains that numbers are missing between two tables: a day between them was said to have
 * none, and so was every day that the calendar calls open.
 */
export function isGapClosed(
  { from, to }: { readonly from: IsoDate; readonly to: IsoDate },
  { absences, series }: Pick<Known, 'absences' | 'series'>,
): boolean {
  const isClosed = (day: IsoDate): boolean => absences.get(day)?.isClosed === true;
  let isAnyClosed = false;
  for (let day = addDays(from, 1); day < to; day = addDays(day, 1)) {
    if (isClosed(day)) isAnyClosed = true;
    else if (series.timetable.days.isPublicationDay(day)) return false;
  }
  return isAnyClosed;
}

/** Whether no later day of the year can have a publication: it is its last open day, or the year has ended. */
function isEndOfYear(day: IsoDate, { timetable }: Series, nowMs: number): boolean {
  const last = timetable.days.newestPublicationDay(isoDate(`${day.slice(0, 4)}-12-31`));
  return day >= last || timetable.isOver(last, nowMs);
}

function isSameYear(a: IsoDate, b: IsoDate): boolean {
  return a.slice(0, 4) === b.slice(0, 4);
}

/** The publications with a later number than that of a table that are known and not stored. */
function listHeldAfter(table: string, { series, held }: Known) {
  if (held.size === 0) return [];
  return [...held.values()]
    .flat()
    .filter((one) => (series.numbers?.compare(one.table ?? '', table) ?? 0) > 0);
}

/**
 * Lists the days between stored publications, and after the newest one up to a day, of which it is not proved that they have
 * none, oldest first.
 */
export function listUnproved(known: Known, through: IsoDate, nowMs: number): readonly IsoDate[] {
  const [first] = known.dates;
  if (first === undefined) return [];
  const days: IsoDate[] = [];
  let at = 0;
  for (let day = first; day <= through; day = addDays(day, 1)) {
    if (known.dates[at] === day) at += 1;
    else if (judgeAbsence(day, known, nowMs).kind !== 'proved') days.push(day);
  }
  return days;
}

/**
 * Whether answers may have been given that rest on the absence of a publication: of its day, and of the days back to the stored
 * publication before it. What is known now may be less: a later table shows that a number is missing.
 */
export function isRestedOn(date: IsoDate, known: Known, nowMs: number): boolean {
  const before = known.dates[countBefore(known.dates, date) - 1];
  if (before === undefined) return false;
  const without = { ...known, held: new Map<string, readonly never[]>() };
  for (let day = date; day > before; day = addDays(day, -1)) {
    const isRested =
      isAnsweredEarlier(day, known) ||
      wasProvedByAnswers(day, known) ||
      judgeAbsence(day, without, nowMs).kind !== 'open';
    if (!isRested) return false;
  }
  return true;
}

/** Whether two answers were proof of a day when the second one was made. */
function wasProvedByAnswers(day: IsoDate, { series, absences }: Known): boolean {
  const stored = absences.get(day);
  if (!isTwiceRead(stored) || stored?.lastAtMs === undefined) return false;
  const { proofs, numbers } = series;
  const isEnd = numbers !== undefined && isEndOfYear(day, series, stored.lastAtMs);
  return (isEnd ? proofs.endOfYear : proofs.open) === 'two answers';
}

/** How many dates are before this one, by binary search. */
export function countBefore(dates: readonly IsoDate[], date: IsoDate): number {
  let [low, high] = [0, dates.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((dates[middle] ?? '') < date) low = middle + 1;
    else high = middle;
  }
  return low;
}
