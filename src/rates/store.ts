import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../platform/database/database.ts';
import { bumpRevision } from '../platform/database/replicas/revisions.ts';
import type { Tables } from '../platform/database/tables.ts';
import { SnapshotTable } from '../platform/publication/snapshot-table.ts';
import { isoDate, type IsoDate } from '../platform/time/time.ts';
import { type CategorySet, idsOf } from './categories/category-sets.ts';
import { insertSets, insertSnapshotCategories } from './categories/category-store.ts';
import type { ChangeQuery } from './definitions.ts';
import type { RateChange } from './diff.ts';
import { parseSnapshot, type RateSnapshot } from './snapshot.ts';

export type StoredSnapshot = {
  readonly date: IsoDate;
  readonly body: string;
  /** See `TedbReading.situationDate`; undefined if it is not known. */
  readonly situationDate: string | undefined;
};

/** The snapshots by version, those that were backfilled included. */
export const rateSnapshots = new SnapshotTable({ table: 'rate_snapshots', date: 'version' });

/** The newest snapshot that the daily job published; backfilled ones are never the latest. */
export async function findLatest(db: Db): Promise<StoredSnapshot | undefined> {
  const row = await db
    .selectFrom('rate_snapshots')
    .select(['version', 'body', 'situation_date'])
    .where('origin', '=', 'job')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined
    ? undefined
    : {
        date: isoDate(row.version),
        body: row.body,
        situationDate: row.situation_date ?? undefined,
      };
}

/** The snapshot that an answer is judged against: the newest one that is stored, which before the first of the job is a backfilled one. */
export async function findLastStored(db: Db): Promise<RateSnapshot | undefined> {
  const last = await rateSnapshots.findLatest(db);
  return last === undefined ? undefined : parseSnapshot(last.body);
}

export async function findSnapshot(db: Db, version: IsoDate): Promise<RateSnapshot | undefined> {
  const body = await rateSnapshots.findBody(db, version);
  return body === undefined ? undefined : parseSnapshot(body);
}

/** Stores a snapshot of the daily job, which makes it the latest. */
export async function insertSnapshot(
  tx: Tx,
  snapshot: {
    readonly version: IsoDate;
    readonly body: string;
    readonly situationDate: string | undefined;
    readonly inputDigest: string;
    readonly at: string;
  },
): Promise<void> {
  await tx
    .insertInto('rate_snapshots')
    .values({
      version: snapshot.version,
      origin: 'job',
      body: snapshot.body,
      situation_date: snapshot.situationDate,
      input_digest: snapshot.inputDigest,
      stored_at: snapshot.at,
    })
    .execute();
}

/**
 * Stores backfilled snapshots and returns how many; one that another process stored meanwhile stays.
 */
export async function insertBackfilled(
  db: Db,
  snapshots: readonly { readonly version: IsoDate; readonly body: string }[],
  from: {
    readonly inputDigest: string;
    readonly at: string;
    /** The rows by goods category, the same for all of the snapshots. */
    readonly categories?: readonly CategorySet[];
  },
): Promise<number> {
  if (snapshots.length === 0) return 0;
  return db.transaction().execute(async (tx) => {
    let count = 0n;
    const { categories = [] } = from;
    await insertSets(tx, categories);
    for (const { version, body } of snapshots) {
      const { numInsertedOrUpdatedRows = 0n } = await tx
        .insertInto('rate_snapshots')
        .values({
          version,
          origin: 'backfill',
          body,
          input_digest: from.inputDigest,
          stored_at: from.at,
        })
        .onConflict((c) => c.column('version').doNothing())
        .executeTakeFirst();
      count += numInsertedOrUpdatedRows;
      if (numInsertedOrUpdatedRows > 0n && categories.length > 0) {
        const sets = idsOf(categories);
        await insertSnapshotCategories(tx, { version, sets, comparedWith: undefined });
      }
    }
    await bumpRevision(tx, 'rates');
    return Number(count);
  });
}

/** Deletes snapshots with their change rows and goods categories; sets stay, because other snapshots may have them. */
export async function deleteVersions(tx: Tx, versions: readonly IsoDate[]): Promise<void> {
  await tx.deleteFrom('rate_changes').where('snapshot_date', 'in', versions).execute();
  await tx.deleteFrom('rate_categories').where('version', 'in', versions).execute();
  await tx.deleteFrom('rate_snapshots').where('version', 'in', versions).execute();
}

export async function insertChanges(tx: Tx, changes: readonly RateChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map((change) => ({
    id: change.id,
    snapshot_date: change.snapshotDate,
    country: change.country,
    field: change.field,
    old: change.old,
    new: change.new,
    detected_at: change.detectedAt,
  }));
  await tx.insertInto('rate_changes').values(rows).execute();
}

/**
 * The rows of the change log that match a query: newest first by detection, then country, then
 * field (interface 4.2).
 *
 * It reads as many rows as it returns, whatever the length of the log: an index has them in this order, and the
 * scan begins at the first row that can match `since`. Rows that were detected late, for a date before `since`,
 * are skipped in the index.
 */
export async function listChanges(db: Db, query: ChangeQuery): Promise<RateChange[]> {
  const { since, country, limit } = query;
  let rows = db
    .selectFrom('rate_changes')
    .selectAll()
    .orderBy('detected_at', 'desc')
    .orderBy('country')
    .orderBy('field')
    // Two days that one run caught up may carry the same millisecond.
    .orderBy('snapshot_date', 'desc')
    // A subquery hides the number from PostgreSQL's planner. With the number it prefers to sort if it expects few
    // rows, and with two correlated conditions on dates it expects too few: it sorted 5,000 rows to return 200.
    .limit(sql<number>`(select cast(${limit} as integer))`);
  if (since !== undefined) {
    const floor = await findDetectionFloor(db, since);
    rows = rows.where('snapshot_date', '>=', since).where('detected_at', '>=', floor);
  }
  if (country !== undefined) rows = rows.where('country', '=', country);
  return (await rows.execute()).map(toChange);
}

/**
 * The moment, or the date, before which no row was detected whose snapshot date is `since` or later.
 *
 * Normally that is `since` itself, because a snapshot is published after its day has begun. Only a clock that
 * went back makes an exception; such rows have an index of their own, which is empty if there are none.
 */
async function findDetectionFloor(db: Db, since: IsoDate): Promise<string> {
  const early = await db
    .selectFrom('rate_changes')
    .select('detected_at')
    .whereRef('detected_at', '<', 'snapshot_date')
    .where('snapshot_date', '>=', since)
    .where('detected_at', '<', since)
    .orderBy('detected_at')
    .limit(1)
    .executeTakeFirst();
  return early?.detected_at ?? since;
}

/** The rows of one snapshot date by country, then field (interface 4.3). */
export async function listChangesOf(db: Db, version: IsoDate): Promise<RateChange[]> {
  const rows = await db
    .selectFrom('rate_changes')
    .selectAll()
    .where('snapshot_date', '=', version)
    .orderBy('country')
    .orderBy('field')
    .execute();
  return rows.map(toChange);
}

function toChange(row: Selectable<Tables['rate_changes']>): RateChange {
  return {
    id: row.id,
    snapshotDate: isoDate(row.snapshot_date),
    country: row.country,
    field: row.field,
    old: row.old,
    new: row.new,
    detectedAt: row.detected_at,
  };
}
