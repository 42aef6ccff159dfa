import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Db, Tx } from '../../platform/database/database.ts';
import { addDays, type IsoDate, monthOf } from '../../platform/time.ts';

/** How long use per day is kept, today included. */
export const useKeptDays = 400;

/** Rows of one statement. */
export const portionMax = 250;

/** Charged requests of a key on a day (UTC). */
export type DailyUse = {
  readonly keyId: string;
  readonly useDate: IsoDate;
  readonly requests: number;
};

/**
 * Writes down what was charged, to be folded later.
 *
 * One row however many keys: adding to a row per key each time took a quarter of the throughput with
 * 100,000 of them, this takes a hundredth (bench P11).
 */
export async function journalUse(db: Db, uses: readonly DailyUse[]): Promise<void> {
  const list = uses.map(({ keyId, useDate, requests }) => [keyId, useDate, requests]);
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('key_use_journal')
      .values({ id: randomUUID(), uses: JSON.stringify(list) })
      .execute();
  });
}

/**
 * Adds what is in the journal to the days of its keys, all or nothing. In between requests are answered.
 */
export async function foldUse(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const journal = await tx.deleteFrom('key_use_journal').returning('uses').execute();
    const sums = new Map<string, DailyUse>();
    for (const { uses } of journal) {
      await turn();
      for (const [keyId, useDate, requests] of JSON.parse(uses) as [string, IsoDate, number][]) {
        const id = `${useDate} ${keyId}`;
        const before = sums.get(id)?.requests ?? 0;
        sums.set(id, { keyId, useDate, requests: before + requests });
      }
    }
    // In the order of the primary key, so that neighbours are written together.
    const sorted = [...sums.keys()].sort().flatMap((id) => sums.get(id) ?? []);
    for (let at = 0; at < sorted.length; at += portionMax) {
      if (at > 0) await turn();
      await addUse(tx, sorted.slice(at, at + portionMax));
    }
  });
}

async function addUse(tx: Tx, uses: readonly DailyUse[]): Promise<void> {
  await tx
    .insertInto('key_use')
    .values(
      uses.map(({ keyId, useDate, requests }) => ({ key_id: keyId, use_date: useDate, requests })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['use_date', 'key_id'])
        .doUpdateSet((e) => ({ requests: e('key_use.requests', '+', e.ref('excluded.requests')) })),
    )
    .execute();
}

/** Requests charged to a key in the month of a date, without the journal's; 0 when there were none. */
export async function readMonthUse(db: Db, keyId: string, date: IsoDate): Promise<number> {
  const { first, nextFirst } = monthOf(date);
  const days = await listDailyUse(db, keyId, { from: first, to: addDays(nextFirst, -1) });
  return days.reduce((sum, { requests }) => sum + requests, 0);
}

/** The same for every key that has been charged. */
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

/** A key's use of each day on which it was charged, the newest first, without the journal's. */
export async function listDailyUse(
  db: Db,
  keyId: string,
  span: { readonly from: IsoDate; readonly to: IsoDate },
): Promise<DailyUse[]> {
  // Each day by its name: a span would read the days of all keys.
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

/** Notes that secrets, given by their hashes, were used; a later instant is never put back. */
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
          // In one order, so that processes that note the same secrets wait instead of locking each other out.
          .orderBy('secret_hash')
          .forUpdate(),
      )
      .execute();
  });
}

/** Removes up to 250 days of keys that are no longer kept; gives how many there were. */
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

/** Every date of a span, both ends included, as far back as use is kept from its last. */
function listDates(from: IsoDate, to: IsoDate): IsoDate[] {
  const dates: IsoDate[] = [];
  for (let date = to; date >= from && dates.length < useKeptDays; date = addDays(date, -1)) {
    dates.push(date);
  }
  return dates;
}
