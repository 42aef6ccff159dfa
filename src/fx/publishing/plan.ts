import type { IsoDate } from '../../platform/time/time.ts';
import { judgeSnapshot, type Judging } from './gate.ts';
import { inOrderOf } from '../series.ts';
import { compareSnapshots, type FxDifference, type FxSnapshot } from '../snapshot.ts';

/** A publication in the upstream's files, and whether a file of past days contains it. */
export type Offer = { readonly snapshot: FxSnapshot; readonly isFromHistory: boolean };

/** The decision on each offered publication. All lists are oldest first. */
export type FxPlan = {
  readonly accepted: readonly FxSnapshot[];
  readonly doubted: readonly {
    readonly snapshot: FxSnapshot;
    readonly reasons: readonly string[];
  }[];
  /** Stored dates whose values the upstream has changed. */
  readonly corrected: readonly {
    readonly date: IsoDate;
    readonly differences: readonly FxDifference[];
  }[];
  /** The publications around the first missing number; undefined if all numbers follow. */
  readonly hole: Hole | undefined;
};

/** Two publications between whose numbers another one is missing. */
export type Hole = { readonly after: FxSnapshot; readonly before: FxSnapshot };

/** The facts by which offered publications are judged. */
export type Planning = Judging & {
  /** Whether answers may have been given that rest on the absence of a publication of a day. Default: none. */
  readonly isRestedOn?: (date: IsoDate) => boolean;
  /** Whether an operator has said why numbers are missing between two publications. Default: none has. */
  readonly isExplained?: (hole: Hole) => boolean;
};

/**
 * Compares the offered publications with the stored ones.
 *
 * Each new day is judged against the day before it, whether that is stored or new as well, so each day of a
 * gap is judged like a single day. A stored date never changes here (contract C20). A day older than the
 * newest stored one fills a gap if a file of past days contains it; the daily file alone may only bring a
 * newer day. A publication with a number is known by it, not by its date. One that is doubted is doubted alone, unless its
 * number shows that another one is missing: then those behind it are doubted as well.
 *
 * @param offered In the order of the series, each number or date once.
 * @param stored Oldest first: from the day before the first offered one on.
 */
export function planPublications(
  offered: readonly Offer[],
  stored: readonly FxSnapshot[],
  planning: Planning,
): FxPlan {
  const { series } = planning;
  const accepted: FxSnapshot[] = [];
  const doubted: { snapshot: FxSnapshot; reasons: string[] }[] = [];
  const corrected: { date: IsoDate; differences: FxDifference[] }[] = [];
  const compare = inOrderOf(series);
  const newest = stored.at(-1)?.date;
  let hole: Hole | undefined;
  /** The publication before a missing number, until the next stored one. */
  let beforeHole: FxSnapshot | undefined;
  /** The publication before in the order of numbers, also if it is doubted. */
  let last: FxSnapshot | undefined;

  let at = 0;
  let previous: FxSnapshot | undefined;
  for (const { snapshot, isFromHistory } of offered) {
    let known = stored[at];
    for (; known !== undefined && compare(known, snapshot) < 0; known = stored[at]) {
      previous = last = known;
      beforeHole = undefined;
      at += 1;
    }
    if (known !== undefined && compare(known, snapshot) === 0) {
      if (known.date === snapshot.date) {
        const differences = compareSnapshots(known, snapshot);
        if (differences.length > 0) corrected.push({ date: snapshot.date, differences });
      } else {
        doubted.push({
          snapshot,
          reasons: [`${known.table} is stored with the date ${known.date}`],
        });
      }
      continue;
    }
    if (last !== undefined && !follows(last, snapshot, planning)) {
      hole ??= { after: last, before: snapshot };
      beforeHole ??= last;
    }
    const reasons = [
      ...(beforeHole === undefined
        ? []
        : [`${snapshot.table} does not follow ${beforeHole.table}`]),
      ...judgeSnapshot(snapshot, previous, planning),
      ...judgePlace(snapshot, known, planning),
    ];
    if (!isFromHistory && newest !== undefined && snapshot.date < newest) {
      reasons.push(`${snapshot.date} is not newer than the latest, ${newest}`);
    }
    if (series.numbers !== undefined) last = snapshot;
    if (reasons.length > 0) {
      doubted.push({ snapshot, reasons });
    } else {
      accepted.push(snapshot);
      previous = last = snapshot;
    }
  }
  return { accepted, doubted, corrected, hole };
}

/** The reasons against a publication between the stored ones, of which `next` is the one after it. */
function judgePlace(
  { date, table }: FxSnapshot,
  next: FxSnapshot | undefined,
  { isRestedOn }: Planning,
): string[] {
  const reasons: string[] = [];
  if (isRestedOn?.(date) === true) {
    reasons.push(`${date} was read without a publication before, and answers may rest on that`);
  }
  // Only by its number, because otherwise the order is that of the dates.
  if (next !== undefined && date >= next.date) {
    reasons.push(`${table} of ${date} is not older than ${next.table} of ${next.date}`);
  }
  return reasons;
}

/** Whether no number is missing between two publications, or an operator has said why it is. */
function follows(
  previous: FxSnapshot,
  snapshot: FxSnapshot,
  { series: { numbers }, isExplained }: Planning,
): boolean {
  if (numbers === undefined || numbers.follows(previous.table ?? '', snapshot.table ?? ''))
    return true;
  return isExplained?.({ after: previous, before: snapshot }) === true;
}
