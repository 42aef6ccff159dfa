import { setImmediate as turn } from 'node:timers/promises';
import type { Db, Tx } from '../platform/database/database.ts';
import { isoDate, type IsoDate } from '../platform/time.ts';
import { type FxSnapshot, parseSnapshot, printSnapshot } from './snapshot.ts';

/** Rows in one statement: the event loop gets a turn after each. */
const insertChunk = 250;

/** The newest publication. */
export async function findLatest(
  db: Db,
): Promise<{ readonly date: IsoDate; readonly body: string } | undefined> {
  const row = await db
    .selectFrom('fx_snapshots')
    .select(['date', 'body'])
    .orderBy('date', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : { date: isoDate(row.date), body: row.body };
}

/** The body of a publication; undefined when there is none on the date. */
export async function findBody(db: Db, date: IsoDate): Promise<string | undefined> {
  return (await bodyQuery(db, date).executeTakeFirst())?.body;
}

/** The query of `findBody`, for whoever runs it in another way; its one parameter is the date. */
export function bodyQuery(db: Db, date: IsoDate) {
  return db.selectFrom('fx_snapshots').select('body').where('date', '=', date);
}

/** The nearest publications before and after a date. */
export async function findNeighbours(
  db: Db,
  date: IsoDate,
): Promise<{ readonly previous: string | undefined; readonly next: string | undefined }> {
  const dates = db.selectFrom('fx_snapshots').select('date').limit(1);
  const previous = await dates.where('date', '<', date).orderBy('date', 'desc').executeTakeFirst();
  const next = await dates.where('date', '>', date).orderBy('date', 'asc').executeTakeFirst();
  return { previous: previous?.date, next: next?.date };
}

/** The dates of a span that have a publication, the oldest first. */
export async function listDates(
  db: Db,
  { from, to }: { readonly from: IsoDate | null; readonly to: IsoDate | null },
): Promise<string[]> {
  let rows = db.selectFrom('fx_snapshots').select('date').orderBy('date');
  if (from !== null) rows = rows.where('date', '>=', from);
  if (to !== null) rows = rows.where('date', '<=', to);
  return (await rows.execute()).map(({ date }) => date);
}

/** The publications from a date on, oldest first, with the one before it. */
export async function listWithPredecessor(db: Db, from: IsoDate): Promise<FxSnapshot[]> {
  const { previous } = await findNeighbours(db, from);
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
  for (let from = 0; from < snapshots.length; from += insertChunk) {
    const rows = snapshots
      .slice(from, from + insertChunk)
      .map((snapshot) => ({ date: snapshot.date, body: printSnapshot(snapshot), stored_at: at }));
    await tx.insertInto('fx_snapshots').values(rows).execute();
    await turn();
  }
}

/** Replaces a body: only ever done by an operator's hand (contract C20). */
export async function replaceSnapshot(tx: Tx, snapshot: FxSnapshot): Promise<void> {
  await tx
    .updateTable('fx_snapshots')
    .set({ body: printSnapshot(snapshot) })
    .where('date', '=', snapshot.date)
    .execute();
}
