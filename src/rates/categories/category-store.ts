import type { Db, Tx } from '../../platform/database/database.ts';
import { isoDate, type IsoDate } from '../../platform/time/time.ts';
import type { CountryRows, SetRows } from './category-row.ts';
import { type CategorySet, joinRows, parseRows, type SetIds } from './category-sets.ts';

/** The sets that a snapshot references. */
export type SnapshotCategories = {
  readonly version: IsoDate;
  readonly sets: SetIds;
  /** The snapshot that it was compared with when it was published; undefined if it was compared with none. */
  readonly comparedWith: IsoDate | undefined;
};

/** Stores the sets that are not stored yet. A set never changes, because its id is made from its content. */
export async function insertSets(tx: Tx, sets: readonly CategorySet[]): Promise<void> {
  if (sets.length === 0) return;
  const ids = sets.map(({ id }) => id);
  const known = await tx
    .selectFrom('rate_category_sets')
    .select('id')
    .where('id', 'in', ids)
    .execute();
  const knownIds = new Set(known.map(({ id }) => id));
  const missing = sets.filter(({ id }) => !knownIds.has(id));
  if (missing.length === 0) return;
  await tx
    .insertInto('rate_category_sets')
    .values(missing.map(({ id, country, text }) => ({ id, country, rows: text })))
    .onConflict((c) => c.column('id').doNothing())
    .execute();
}

/** Stores which sets a snapshot has; a snapshot that has them already keeps them. Returns whether it was stored. */
export async function insertSnapshotCategories(
  tx: Tx,
  { version, sets, comparedWith }: SnapshotCategories,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('rate_categories')
    .values({ version, sets: JSON.stringify(sets), compared_with: comparedWith ?? null })
    .onConflict((c) => c.column('version').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** The sets of a snapshot; undefined for a snapshot without rows, and for a date without a snapshot. */
export async function findSnapshotCategories(
  db: Db,
  version: IsoDate,
): Promise<SnapshotCategories | undefined> {
  const row = await db
    .selectFrom('rate_categories')
    .selectAll()
    .where('version', '=', version)
    .executeTakeFirst();
  return row === undefined
    ? undefined
    : {
        version: isoDate(row.version),
        sets: JSON.parse(row.sets) as SetIds,
        comparedWith: row.compared_with === null ? undefined : isoDate(row.compared_with),
      };
}

/** The dates of a span whose snapshots have no rows, the oldest first. */
export async function listWithoutCategories(
  db: Db,
  { from, to }: { readonly from: IsoDate; readonly to: IsoDate },
): Promise<readonly IsoDate[]> {
  const rows = await db
    .selectFrom('rate_snapshots as snapshot')
    .leftJoin('rate_categories as categories', 'categories.version', 'snapshot.version')
    .select('snapshot.version')
    .where('categories.version', 'is', null)
    .where('snapshot.version', '>=', from)
    .where('snapshot.version', '<=', to)
    .orderBy('snapshot.version')
    .execute();
  return rows.map(({ version }) => isoDate(version));
}

/** The oldest date whose snapshot has rows; undefined before the first. */
export async function findFirstWithCategories(db: Db): Promise<IsoDate | undefined> {
  const row = await db
    .selectFrom('rate_categories')
    .select('version')
    .orderBy('version')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : isoDate(row.version);
}

/** The rows of these sets, by country. */
export async function readCountryRows(db: Db, sets: SetIds): Promise<readonly CountryRows[]> {
  return joinRows(sets, await findRows(db, Object.values(sets)));
}

/** The rows of each stored set by its id. */
export async function findRows(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SetRows>> {
  if (ids.length === 0) return new Map();
  const stored = await db
    .selectFrom('rate_category_sets')
    .select(['id', 'rows'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(stored.map(({ id, rows }) => [id, parseRows(rows)]));
}
