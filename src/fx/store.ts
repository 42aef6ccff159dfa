import type { Db, Tx } from '../platform/database/database.ts';
import { eachPortion } from '../platform/database/portions.ts';
import type { StoredBody } from '../platform/http/responses/published-snapshots.ts';
import { SnapshotTable } from '../platform/publication/snapshot-table.ts';
import { isoDate, type IsoDate } from '../platform/time/time.ts';
import { type FxSnapshot, parseSnapshot, printSnapshot } from './snapshot.ts';

/** Rows in one statement. */
const insertChunk = 250;

/** The publications by date. */
export const fxSnapshots = new SnapshotTable({ table: 'fx_snapshots', date: 'date' });

/** The newest publication; undefined before the first. */
export async function findLatest(db: Db): Promise<StoredBody | undefined> {
  const row = await db
    .selectFrom('fx_snapshots')
    .select(['date', 'body'])
    .orderBy('date', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : { date: isoDate(row.date), body: row.body };
}

/** The publications from a date on, oldest first, with the one before it. */
export async function listWithPredecessor(db: Db, from: IsoDate): Promise<FxSnapshot[]> {
  const { previous } = await fxSnapshots.findNeighbours(db, from);
  const rows = await db
    .selectFrom('fx_snapshots')
    .select('body')
    .where('date', '>=', previous ?? from)
    .orderBy('date')
    .execute();
  return rows.map(({ body }) => parseSnapshot(body));
}

export async function insertSnapshots(
  tx: Tx,
  snapshots: readonly FxSnapshot[],
  at: string,
): Promise<void> {
  await eachPortion(snapshots, insertChunk, async (portion) => {
    const rows = portion.map((snapshot) => ({
      date: snapshot.date,
      body: printSnapshot(snapshot),
      stored_at: at,
    }));
    await tx.insertInto('fx_snapshots').values(rows).execute();
  });
}

/** Replaces a body: only an operator's command does this (contract C20). */
export async function replaceSnapshot(tx: Tx, snapshot: FxSnapshot): Promise<void> {
  await tx
    .updateTable('fx_snapshots')
    .set({ body: printSnapshot(snapshot) })
    .where('date', '=', snapshot.date)
    .execute();
}
