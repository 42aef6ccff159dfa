import type { Db } from '../../platform/database/database.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import { type CategoryChange, diffCategories } from './category-changes.ts';
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
  const differing = (sets: SetIds, others: SetIds): SetIds =>
    Object.fromEntries(Object.entries(sets).filter(([country, id]) => others[country] !== id));
  return diffCategories(
    await readCountryRows(db, differing(before, after)),
    await readCountryRows(db, differing(after, before)),
  );
}
