import type { Db } from '../../platform/database/database.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import type { CountryCode } from '../member-states.ts';
import { type CategoryChange, countDifferences, diffCategories } from './category-changes.ts';
import type { CountryRows } from './category-row.ts';
import type { SetIds } from './category-sets.ts';
import { findSnapshotCategories, readCountryRows } from './category-store.ts';

/**
 * The categories whose rows changed with a snapshot, compared with the snapshot before it (rule G9). Undefined for a
 * snapshot without rows and for a date without a snapshot; empty for one that was compared with none.
 */
export async function listCategoryChanges(
  db: Db,
  version: IsoDate,
): Promise<readonly CategoryChange[] | undefined> {
  const found = await findSnapshotCategories(db, version);
  if (found?.comparedWith === undefined) return found === undefined ? undefined : [];
  const before = await findSnapshotCategories(db, found.comparedWith);
  if (before === undefined) throw new Error(`categories: ${found.comparedWith} has no sets`);
  return compareSets(db, before.sets, found.sets);
}

/** Compares the rows of two snapshots; reads only the sets that differ. */
export async function compareSets(
  db: Db,
  before: SetIds,
  after: SetIds,
): Promise<readonly CategoryChange[]> {
  const { was, is } = await readDiffering(db, before, after);
  return diffCategories(was, is);
}

/** The goods of a country in two snapshots, as numbers of rows. */
export type GoodsDifference = {
  readonly country: CountryCode;
  readonly before: number;
  readonly after: number;
} & ReturnType<typeof countDifferences>;

/** Counts, for each country whose goods differ between two snapshots, the rows that do. */
export async function countGoods(
  db: Db,
  before: SetIds,
  after: SetIds,
): Promise<readonly GoodsDifference[]> {
  const { was, is } = await readDiffering(db, before, after);
  const countries = new Set([...was, ...is].map(({ country }) => country));
  return [...countries].sort().flatMap((country) => {
    const [rowsBefore, rowsAfter] = [rowsOf(was, country), rowsOf(is, country)];
    const counts = countDifferences(rowsBefore, rowsAfter);
    // Sets with the same rates, of which only comments differ.
    if (Object.values(counts).every((count) => count === 0)) return [];
    return [{ country, before: rowsBefore.length, after: rowsAfter.length, ...counts }];
  });
}

function rowsOf(all: readonly CountryRows[], country: CountryCode): CountryRows['rows'] {
  return all.find((one) => one.country === country)?.rows ?? [];
}

/** Reads the rows of the countries whose sets differ between two snapshots. */
async function readDiffering(
  db: Db,
  before: SetIds,
  after: SetIds,
): Promise<{ readonly was: readonly CountryRows[]; readonly is: readonly CountryRows[] }> {
  const differing = (sets: SetIds, others: SetIds): SetIds =>
    Object.fromEntries(Object.entries(sets).filter(([country, id]) => others[country] !== id));
  return {
    was: await readCountryRows(db, differing(before, after)),
    is: await readCountryRows(db, differing(after, before)),
  };
}
