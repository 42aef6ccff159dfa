import { compareSnapshots } from '../rates/comparison.ts';
import type { RateSnapshot } from '../wire.ts';

/** A stored snapshot in which the rates of the country differ from those of the stored snapshot before it. */
export type Step = {
  /** Undefined for the first stored snapshot. */
  readonly before: RateSnapshot | undefined;
  readonly snapshot: RateSnapshot;
};

/** Reads a stored snapshot. */
export type ReadSnapshot = (date: string) => Promise<RateSnapshot>;

/**
 * Finds the stored snapshots in which the rates of a country changed, oldest first; the first stored one is always
 * among them.
 *
 * It reads one snapshot of each month and those around the dates of the change log, and searches between two that
 * differ. So ten years take about 130 requests instead of 3,650. A change that is not in the change log is
 * missed if it is reversed before the next snapshot that is read.
 */
export async function findSteps(of: {
  readonly country: string;
  /** All stored dates, oldest first. */
  readonly dates: readonly string[];
  /** The dates on which the change log has a change of the country. */
  readonly changedOn: ReadonlySet<string>;
  readonly read: ReadSnapshot;
}): Promise<readonly Step[]> {
  const { country, dates, changedOn, read } = of;
  const readAt = async (at: number): Promise<RateSnapshot> => read(dates[at] ?? '');
  const isSame = (a: RateSnapshot, b: RateSnapshot): boolean =>
    compareSnapshots(a, b).every((difference) => difference.country !== country);

  const findBetween = async (from: number, to: number): Promise<readonly Step[]> => {
    const [before, snapshot] = await Promise.all([readAt(from), readAt(to)]);
    if (isSame(before, snapshot)) return [];
    if (to - from === 1) return [{ before, snapshot }];
    const middle = Math.floor((from + to) / 2);
    return [...(await findBetween(from, middle)), ...(await findBetween(middle, to))];
  };

  if (dates.length === 0) return [];
  const samples = chooseSamples(dates, changedOn);
  const found = await Promise.all(
    samples.slice(1).map(async (to, at) => findBetween(samples[at] ?? 0, to)),
  );
  return [{ before: undefined, snapshot: await readAt(0) }, ...found.flat()];
}

/** The positions of the snapshots that are read first, ascending. */
function chooseSamples(
  dates: readonly string[],
  changedOn: ReadonlySet<string>,
): readonly number[] {
  const isSample = (date: string, at: number): boolean =>
    at === 0 ||
    at === dates.length - 1 ||
    date.slice(0, 7) !== dates[at - 1]?.slice(0, 7) ||
    changedOn.has(date) ||
    changedOn.has(dates[at + 1] ?? '');
  return dates.flatMap((date, at) => (isSample(date, at) ? at : []));
}
