import type { Db, Tx } from '../../platform/database/database.ts';
import { markCommit } from '../../platform/database/marks.ts';
import { eachPortion } from '../../platform/database/portions.ts';
import { addDays, type IsoDate, monthOf } from '../../platform/time/time.ts';

/** Days for which the use of a key is kept, today included. */
export const useKeptDays = 400;

/** Rows of one statement. */
export const portionMax = 250;

/** Charged requests of a key on a day (UTC). */
export type DailyUse = {
  readonly keyId: string;
  readonly useDate: IsoDate;
  readonly requests: number;
};

/** Reads the charged requests of a key in the month of a date, as far as they are in the database. */
export type ReadMonthUse = (keyId: string, date: IsoDate) => Promise<number>;

/** Adds charged requests to the days of their keys, all or nothing, and once (rule C38). Each key and day may occur once. */
export async function writeUse(db: Db, uses: readonly DailyUse[]): Promise<void> {
  await db.transaction().execute(async (tx) => addUse(tx, uses));
}

/** `writeUse` in a transaction of the caller. */
export async function addUse(tx: Tx, uses: readonly DailyUse[]): Promise<void> {
  await markCommit(tx);
  // In the order of the primary key: neighbours are written together, and processes lock rows in the same order.
  const rows = uses
    .toSorted((a, b) => compare(a.useDate, b.useDate) || compare(a.keyId, b.keyId))
    .map(({ keyId, useDate, requests }) => ({ key_id: keyId, use_date: useDate, requests }));
  await eachPortion(rows, portionMax, async (portion) => {
    await tx
      .insertInto('key_use')
      .values(portion)
      .onConflict((conflict) =>
        conflict.columns(['use_date', 'key_id']).doUpdateSet((e) => ({
          requests: e('key_use.requests', '+', e.ref('excluded.requests')),
        })),
      )
      .execute();
  });
}

/** Charged requests of a key in the month of a date; 0 if there were none. */
export async function readMonthUse(db: Db, keyId: string, date: IsoDate): Promise<number> {
  const { first, nextFirst } = monthOf(date);
  const days = await listDailyUse(db, keyId, { from: first, to: addDays(nextFirst, -1) });
  return days.reduce((sum, { requests }) => sum + requests, 0);
}

/** Charged requests in the month of a date, for every key that has any. */
export async function readMonthUses(db: Db, date: IsoDate): Promise<ReadonlyMap<string, number>> {
  const { first, nextFirst } = monthOf(date);
  const rows = await db
    .selectFrom('key_use')
    .select((e) => ['key_id', e.fn.sum<number | string>('requests').as('requests')])
    .where('use_date', '>=', first)
    .where('use_date', '<', nextFirst)
    .groupBy('key_id')
    .execute();
  // PostgreSQL gives sums as text.
  return new Map(rows.map((row) => [row.key_id, Number(row.requests)]));
}

/** The use of a key on each day on which it was charged, the newest first. */
export async function listDailyUse(
  db: Db,
  keyId: string,
  span: { readonly from: IsoDate; readonly to: IsoDate },
): Promise<DailyUse[]> {
  // The primary key begins with the day, so a range of days would read the days of all keys.
  const dates = listDates(span.from, span.to);
  if (dates.length === 0) return [];
  const rows = await db
    .selectFrom('key_use')
    .selectAll()
    .where('use_date', 'in', dates)
    .where('key_id', '=', keyId)
    .orderBy('use_date', 'desc')
    .execute();
  return rows.map((row) => ({
    keyId: row.key_id,
    useDate: row.use_date as IsoDate,
    requests: row.requests,
  }));
}

/** Sets the last use of secrets, given by their hashes; leaves a later instant as it is. */
export async function noteLastUses(db: Db, hashes: readonly string[], at: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('key_secrets')
      .set({ last_used_at: at })
      .where('secret_hash', 'in', (e) =>
        e
          .selectFrom('key_secrets')
          .select('secret_hash')
          .where('secret_hash', 'in', hashes)
          .where((older) =>
            older.or([older('last_used_at', 'is', null), older('last_used_at', '<', at)]),
          )
          // In the same order in every process: two that lock the same rows cannot deadlock.
          .orderBy('secret_hash')
          .forUpdate(),
      )
      .execute();
  });
}

/** Removes up to 250 days of use that are no longer kept, and returns how many; skips rows that are locked. */
export async function pruneUse(db: Db, today: IsoDate): Promise<number> {
  const oldest = addDays(today, 1 - useKeptDays);
  return db.transaction().execute(async (tx) => {
    const rows = await tx
      .selectFrom('key_use')
      .select(['key_id', 'use_date'])
      .where('use_date', '<', oldest)
      .limit(portionMax)
      .forUpdate()
      .skipLocked()
      .execute();
    for (const row of rows) {
      await tx
        .deleteFrom('key_use')
        .where('use_date', '=', row.use_date)
        .where('key_id', '=', row.key_id)
        .execute();
    }
    return rows.length;
  });
}

/** Every date of a span, the newest first, both ends included; at most as many as are kept. */
function listDates(from: IsoDate, to: IsoDate): IsoDate[] {
  const dates: IsoDate[] = [];
  for (let date = to; date >= from && dates.length < useKeptDays; date = addDays(date, -1)) {
    dates.push(date);
  }
  return dates;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
