import type { IsoDate } from '../platform/time/time.ts';
import { judgeSnapshot } from './gate.ts';
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
};

/**
 * Compares the offered publications with the stored ones.
 *
 * Each new day is judged against the day before it, whether that is stored or new as well, so each day of a
 * gap is judged like a single day. A stored date never changes here (contract C20). A day older than the
 * newest stored one fills a gap if a file of past days contains it; the daily file alone may only bring a
 * newer day.
 *
 * @param offered Oldest first, each date once.
 * @param stored Oldest first: from the day before the first offered one on.
 */
export function planPublications(
  offered: readonly Offer[],
  stored: readonly FxSnapshot[],
  today: IsoDate,
): FxPlan {
  const accepted: FxSnapshot[] = [];
  const doubted: { snapshot: FxSnapshot; reasons: string[] }[] = [];
  const corrected: { date: IsoDate; differences: FxDifference[] }[] = [];
  const newest = stored.at(-1)?.date;

  let at = 0;
  let previous: FxSnapshot | undefined;
  for (const { snapshot, isFromHistory } of offered) {
    let known = stored[at];
    for (; known !== undefined && known.date < snapshot.date; known = stored[at]) {
      previous = known;
      at += 1;
    }
    if (known?.date === snapshot.date) {
      const differences = compareSnapshots(known, snapshot);
      if (differences.length > 0) corrected.push({ date: snapshot.date, differences });
      continue;
    }
    const reasons = judgeSnapshot(snapshot, previous, today);
    if (!isFromHistory && newest !== undefined && snapshot.date < newest) {
      reasons.push(`${snapshot.date} is not newer than the latest, ${newest}`);
    }
    if (reasons.length > 0) {
      doubted.push({ snapshot, reasons });
    } else {
      accepted.push(snapshot);
      previous = snapshot;
    }
  }
  return { accepted, doubted, corrected };
}
