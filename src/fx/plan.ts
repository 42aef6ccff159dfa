import type { IsoDate } from '../platform/time/time.ts';
import { judgeSnapshot, type Judging } from './gate.ts';
import { inOrderOf, type Series } from './series.ts';
import { compareSnapshots, type FxDifference, type FxSnapshot } from './snapshot.ts';

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
  /** The date of the publication before the first one whose number does not follow; undefined if all numbers do. */
  readonly holeAfter: IsoDate | undefined;
};

/** The facts by which offered publications are judged. */
export type Planning = Judging & {
  /** Answers may have been given that rest on the absence of a publication up to this day; undefined for none. */
  readonly completeThrough?: IsoDate | undefined;
};

/**
 * Compares the offered publications with the stored ones.
 *
 * Each new day is judged against the day before it, whether that is stored or new as well, so each day of a
 * gap is judged like a single day. A stored date never changes here (contract C20). A day older than the
 * newest stored one fills a gap if a file of past days contains it; the daily file alone may only bring a
 * newer day. A publication with a number is known by it, not by its date.
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
  let holeAfter: IsoDate | undefined;
  /** The publication before in the order of numbers, also if it is doubted. */
  let last: FxSnapshot | undefined;

  let at = 0;
  let previous: FxSnapshot | undefined;
  for (const { snapshot, isFromHistory } of offered) {
    let known = stored[at];
    for (; known !== undefined && compare(known, snapshot) < 0; known = stored[at]) {
      previous = last = known;
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
    // Nothing follows a number that is doubted, also not the first one of a year.
    const follows = last === previous && followsNumber(previous, snapshot, series);
    const reasons = [
      ...(follows ? [] : [`${snapshot.table} does not follow ${previous?.table}`]),
      ...judgeSnapshot(snapshot, previous, planning),
      ...judgePlace(snapshot, known, planning),
    ];
    if (!isFromHistory && newest !== undefined && snapshot.date < newest) {
      reasons.push(`${snapshot.date} is not newer than the latest, ${newest}`);
    }
    if (reasons.length > 0) {
      doubted.push({ snapshot, reasons });
      if (!followsNumber(last, snapshot, series)) holeAfter ??= previous?.date;
      if (series.numbers !== undefined) last = snapshot;
    } else {
      accepted.push(snapshot);
      previous = last = snapshot;
    }
  }
  return { accepted, doubted, corrected, holeAfter };
}

/** The reasons against a publication between the stored ones, of which `next` is the one after it. */
function judgePlace(
  { date, table }: FxSnapshot,
  next: FxSnapshot | undefined,
  { completeThrough }: Planning,
): string[] {
  const reasons: string[] = [];
  if (completeThrough !== undefined && date <= completeThrough) {
    reasons.push(`${date} was read without a publication before, and answers may rest on that`);
  }
  // Only by its number, because otherwise the order is that of the dates.
  if (next !== undefined && date >= next.date) {
    reasons.push(`${table} of ${date} is not older than ${next.table} of ${next.date}`);
  }
  return reasons;
}

/** Whether no number lies between two publications. */
function followsNumber(
  previous: FxSnapshot | undefined,
  snapshot: FxSnapshot,
  { numbers }: Series,
): boolean {
  if (numbers === undefined || previous === undefined) return true;
  return numbers.follows(previous.table ?? '', snapshot.table ?? '');
}
