import type { RateEntry } from '../snapshot.ts';
import { countDifferences } from './category-changes.ts';
import type { CountryRows } from './category-row.ts';

/** Limits of plausibility: an answer outside of them is held (rule G10). */
const limits = { goneShareMax: 0.5, movedShareMax: 0.25 } as const;

/** The national rates that countries have no longer, by country code. */
type Abolished = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The reasons against the rows of an answer, compared with the newest snapshot's; none if they are plausible.
 *
 * @param abolished Rows with these rates do not count as gone: the gate of national rates judges that (contract C15).
 */
export function judgeCategories(
  previous: readonly CountryRows[],
  current: readonly CountryRows[],
  abolished: Abolished = new Map(),
): string[] {
  const now = new Map(current.map(({ country, rows }) => [country, rows]));
  const reasons: string[] = [];
  let count = 0;
  let moved = 0;
  for (const { country, rows: was } of previous) {
    const is = now.get(country) ?? [];
    count += was.length;
    moved += countDifferences(was, is).changed;
    const left = abolished.get(country);
    const expected = was.filter(({ rate }) => rate === null || left?.has(rate) !== true).length;
    const gone = expected - is.length;
    if (is.length === 0) reasons.push(`${country}: no goods categories, it had ${was.length} rows`);
    else if (gone > limits.goneShareMax * was.length) {
      reasons.push(`${country}: ${gone} of ${was.length} rows of goods categories are gone`);
    }
  }
  if (moved > limits.movedShareMax * count) {
    reasons.push(
      `${moved} of ${count} rows of goods categories have another rate, expected at most ` +
        `${limits.movedShareMax * 100} %`,
    );
  }
  return reasons;
}

/** Finds the national rates of each country that a later snapshot does not have. */
export function findAbolished(
  previous: readonly RateEntry[],
  current: readonly RateEntry[],
): Abolished {
  const now = new Map(current.map((entry) => [entry.country, ratesOf(entry)]));
  return new Map(
    previous.map((entry) => [
      entry.country,
      ratesOf(entry).difference(now.get(entry.country) ?? new Set()),
    ]),
  );
}

function ratesOf({ standard, reduced, superReduced, parking }: RateEntry): Set<string> {
  return new Set(
    [standard, ...reduced, superReduced, parking].filter((rate) => rate !== undefined),
  );
}
