import type { SeenCorrection } from '../../platform/publication/correction-store.ts';
import { addDays, type IsoDate } from '../../platform/time/time.ts';
import { closureDaysMax } from './completeness.ts';
import { inOrderOf, type Series } from '../series.ts';
import { compareSnapshots, type FxSnapshot } from '../snapshot.ts';

/** If an answer differs from more stored publications than this, it is not believed (rule N7b). */
const contradictedMax = 3;

/** An answer of a bank about some days, both included. */
export type Answer = {
  readonly from: IsoDate;
  readonly to: IsoDate;
  /** When the bank made it, which may be long before it arrived. */
  readonly madeMs: number;
  /** Whether no request about later days follows. */
  readonly isLast: boolean;
  readonly publications: readonly FxSnapshot[];
};

/** What an answer proves beside its publications. */
export type Shown =
  /** Every publication up to this day of those asked for; undefined if none of these days had ended when it was made. */
  | { readonly kind: 'days'; readonly through: IsoDate | undefined }
  /** Nothing, because it lacks stored publications, or has other values of them. */
  | { readonly kind: 'nothing'; readonly because: string };

/** The stored facts beside which an answer is judged. */
type Beside = {
  readonly series: Series;
  /** From the first day that was asked for on, with the publication before it. */
  readonly stored: readonly FxSnapshot[];
  /** Corrections that earlier answers have shown: a value that is among them is no new contradiction. */
  readonly corrections: readonly SeenCorrection[];
  /** Whether values that contradict the stored ones are believed nevertheless (GATE=warn). */
  readonly believesContradictions: boolean;
};

/**
 * Judges what an answer proves about days without a publication. Throws what `refuse` makes of the reason if the answer cannot
 * be one of the bank: it lacks all stored publications of its days, or contradicts them.
 */
export function judgeAnswer(
  answer: Answer,
  beside: Beside,
  refuse: (found: string) => Error,
): Shown {
  const { from, to, isLast, publications } = answer;
  const { series, stored } = beside;
  if (isLast && publications.length === 0 && stored.length === 0) {
    throw refuse(`no publication since ${series.timetable.days.firstPublicationDate}`);
  }
  const isSame = inOrderOf(series);
  const expected = stored
    .filter(({ date }) => date >= from && date <= to)
    .map((one) => ({ one, given: publications.find((given) => isSame(given, one) === 0) }));
  const lacking = expected.filter(({ given }) => given === undefined);
  if (lacking.length > 0 && lacking.length === expected.length) {
    throw refuse(`none of the ${lacking.length} publications of these days that are stored`);
  }
  const contradicted = expected.filter(
    ({ one, given }) => given !== undefined && isContradicted(one, given, beside),
  );
  const isHalf = contradicted.length > 0 && contradicted.length * 2 >= expected.length;
  const found = `other values than ${contradicted.length} of the ${expected.length} stored publications of these days`;
  // One publication alone may be corrected, also if it is the only one of a new year.
  const isRefused = contradicted.length > contradictedMax || (isHalf && contradicted.length > 1);
  if (isRefused && !beside.believesContradictions) {
    const wayOut = 'if the bank has changed them, one run with GATE=warn lists them as corrections';
    throw refuse(`${found}, the first ${contradicted[0]?.one.date}; ${wayOut}`);
  }
  if (isHalf || isRefused) return { kind: 'nothing', because: found };
  if (lacking.length > 0) {
    const because = `none of ${lacking.length} stored publications, the first ${lacking[0]?.one.date}`;
    return { kind: 'nothing', because };
  }
  return { kind: 'days', through: findShown(answer, series, [...stored, ...publications]) };
}

/** Whether an answer has other values of a stored publication, or another date, beside known corrections. */
function isContradicted(
  stored: FxSnapshot,
  given: FxSnapshot,
  { corrections }: Pick<Beside, 'corrections'>,
): boolean {
  if (stored.date !== given.date) return true;
  return compareSnapshots(stored, given).some(
    ({ currency, upstream }) =>
      !corrections.some(
        (known) =>
          known.version === stored.date && known.field === currency && known.upstream === upstream,
      ),
  );
}

/** The last day of an answer that had ended when it was made; an answer that shows too many days without one shows fewer. */
function findShown(
  { from, to, madeMs }: Answer,
  { timetable }: Series,
  publications: readonly FxSnapshot[],
): IsoDate | undefined {
  const ended = addDays(timetable.today(madeMs), -1);
  const last = to < ended ? to : ended;
  const newest = publications
    .map(({ date }) => date)
    .filter((date) => date <= last)
    .toSorted()
    .at(-1);
  if (newest === undefined) return undefined;
  const believed = addDays(newest, closureDaysMax);
  const through = last < believed ? last : believed;
  return through < from ? undefined : through;
}
