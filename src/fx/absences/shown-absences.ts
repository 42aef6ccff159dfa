import type { Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log/log.ts';
import { describeNextRun } from '../../platform/publication/held-prospect.ts';
import { addDays, type Clock, type IsoDate } from '../../platform/time/time.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { isTwiceRead, judgeAbsence, type Known, listUnproved } from './absence.ts';
import { deleteAbsences, followedAs, storeAnswers, storeCompleteThrough } from './completeness.ts';
import type { Answer, Shown } from './judge-answer.ts';
import type { FxPlan } from '../publishing/plan.ts';
import type { Series } from '../series.ts';
import type { FxSnapshot } from '../snapshot.ts';

/** What is known about a series from some of its publications on, oldest first. */
export function toKnown(
  series: Series,
  stored: readonly FxSnapshot[],
): Pick<Known, 'series' | 'dates' | 'tables'> {
  const isNumbered = series.numbers !== undefined;
  return {
    series,
    dates: stored.map(({ date }) => date),
    tables: isNumbered ? stored.map(({ table }) => table ?? '') : [],
  };
}

/** What is known after an answer has brought publications, some of which are doubted. */
export function withNews(
  known: Known,
  news: {
    readonly stored: readonly FxSnapshot[];
    readonly accepted: readonly FxSnapshot[];
    readonly doubted: readonly FxSnapshot[];
  },
): Known {
  const all = [...news.stored, ...news.accepted].sort((a, b) => (a.date < b.date ? -1 : 1));
  const unstored = [...[...known.held.values()].flat(), ...news.doubted];
  const held = Map.groupBy(unstored, ({ date }) => date);
  return { ...known, ...toKnown(known.series, all), held };
}

/**
 * Stores what an answer shows about days without a publication: the day through which the bank was asked, and for each open
 * day that nothing else proves when the first and the last answer without a publication of it were made.
 */
export async function recordShown(
  tx: Tx,
  known: Known,
  seen: { readonly answer: Answer; readonly shown: Shown | undefined; readonly at: string },
): Promise<Known> {
  const { answer, shown, at } = seen;
  const { series, completeThrough } = known;
  if (shown?.kind !== 'days' || shown.through === undefined) return known;
  const { through } = shown;
  const isAdjacent = completeThrough === undefined || answer.from <= addDays(completeThrough, 1);
  const isFurther = isAdjacent && (completeThrough === undefined || through > completeThrough);
  if (isFurther) await storeCompleteThrough(tx, series.kind, { through, at });

  const days = listUnproved(known, through, answer.madeMs)
    .filter((day) => day >= answer.from && isAnsweredBy(day, known, answer.madeMs))
    .map((date) => {
      const { firstAtMs = answer.madeMs, lastAtMs = answer.madeMs } =
        known.absences.get(date) ?? {};
      const [first, last] = [Math.min(firstAtMs, answer.madeMs), Math.max(lastAtMs, answer.madeMs)];
      return { date, firstAtMs: first, lastAtMs: last, isClosed: false };
    });
  await storeAnswers(tx, series.kind, days);
  const needless = listNeedless(known, through, answer.madeMs);
  if (needless.length > 0) await deleteAbsences(tx, series.kind, needless);
  const absences = new Map([...known.absences, ...days.map((day) => [day.date, day] as const)]);
  for (const date of needless) absences.delete(date);
  return { ...known, absences, completeThrough: isFurther ? through : completeThrough };
}

/** Whether an answer without a publication of a day says something about it that is not known yet. */
function isAnsweredBy(day: IsoDate, known: Known, nowMs: number): boolean {
  const { timetable } = known.series;
  if (!timetable.days.isPublicationDay(day) || isTwiceRead(known.absences.get(day))) return false;
  const absence = judgeAbsence(day, known, nowMs);
  return absence.kind !== 'open' || ['unread', 'once read'].includes(absence.because);
}

/** The days of whose second answer nothing depends any more: something else proves them, or shows a publication. */
function listNeedless(known: Known, through: IsoDate, nowMs: number): readonly string[] {
  const first = known.dates[0] ?? through;
  return [...known.absences]
    .filter(([date, { isClosed }]) => !isClosed && date > first && date <= through)
    .filter(([date, stored]) => {
      if (isTwiceRead(stored)) return false;
      const without = { ...known, absences: new Map(known.absences) };
      without.absences.delete(date);
      const absence = judgeAbsence(date as IsoDate, without, nowMs);
      return absence.kind === 'proved' || (absence.kind === 'open' && absence.because !== 'unread');
    })
    .map(([date]) => date);
}

/** The first day about which an answer says something new; undefined if it says nothing new. */
export function findFirstNews(plan: FxPlan | undefined): IsoDate | undefined {
  const { accepted = [], doubted = [], hole } = plan ?? {};
  const days = [...accepted, ...doubted.map(({ snapshot }) => snapshot)].map(({ date }) => date);
  return [...days, ...(hole === undefined ? [] : [addDays(hole.after.date, 1)])].toSorted()[0];
}

/**
 * Sentences for the operator about the days of an answer that only a missing publication or the operator's word can decide;
 * none if there are no such days.
 */
export async function adviseOnHoles(
  tx: Tx,
  { series, log, clock }: { readonly series: Series; readonly log: Log; readonly clock: Clock },
  { known, answer }: { readonly known: Known; readonly answer: Answer },
): Promise<readonly string[]> {
  const { timetable, kind } = series;
  const nowMs = clock.now();
  const ended = addDays(timetable.today(nowMs), -1);
  const holes = listUnproved(known, answer.to < ended ? answer.to : ended, nowMs).filter((day) => {
    const absence = judgeAbsence(day, known, nowMs);
    return absence.kind === 'open' && ['number missing', 'end of year'].includes(absence.because);
  });
  const open = holes.filter(timetable.days.isPublicationDay);
  const [first] = open.length > 0 ? open : holes;
  if (first === undefined) return [];
  const missing =
    open.length > 1
      ? `publications of ${open.length} days from ${first} on are missing`
      : `a publication of ${first} is missing`;
  log.warn({ bank: kind, days: open }, 'a bank has no publication of days that may have one');
  return [
    `${missing}, and rates by law that depend on them are not answered`,
    await describeNextRun(tx, followedAs(series), nowMs),
    `if the bank published none: "${vatfx(`fx closed ${first} --bank ${kind} --reason …`)}"`,
  ];
}
