import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { RequestLimit } from '../../../platform/http/request-cost.ts';
import { dateIn, dayMs, endOfUtcDay, formatInstant } from '../../../platform/time/time.ts';
import { isBudgetSpent } from './call-budget.ts';

/** The hour of a UTC day from which all keys share what is left of the budget. */
const sharedFromMs = 18 * 3_600_000;
/** Pending checks beyond this part of the budget make a key busy. */
const busyPart = 0.01;
/** How long the list of busy keys is used before it is read again. */
const freshMs = 5_000;

/** The shares of busy keys in the budget of a day, before 18:00 UTC (rule K21b). */
export type Shares = {
  readonly busy: ReadonlySet<string>;
  /** The background calls that each of them may use. */
  readonly most: number;
};

/** Shares that hold now; no key is busy without a budget, and from 18:00 UTC on. */
export async function readShares(db: Db, nowMs: number, perDay: RequestLimit): Promise<Shares> {
  if (perDay === 'none' || nowMs >= sharedFrom(nowMs)) return { busy: new Set(), most: Infinity };
  const busy = new Set(await listBusyKeys(db, perDay));
  return { busy, most: shareOf(perDay, busy.size) };
}

/** Whether so many pending checks make a key busy. */
export function isBusy(pending: number, perDay: number): boolean {
  return pending > perDay * busyPart;
}

/** The part of a budget that one of so many busy keys may use: one more part stays for a key that comes later. */
export function shareOf(perDay: number, busyKeys: number): number {
  return Math.max(1, Math.floor(perDay / (busyKeys + 1)));
}

/** 18:00 UTC of the day of a moment. */
export function sharedFrom(nowMs: number): number {
  return Math.floor(nowMs / dayMs) * dayMs + sharedFromMs;
}

async function listBusyKeys(db: Db, perDay: number): Promise<string[]> {
  const next = sql`select min(key_id) from vat_checks where status = 'pending'`;
  // Each step of the recursion finds the next key by the index of pending checks, and reads no more of them than decide.
  const { rows } = await sql<{ key_id: string }>`
    with recursive keys(key_id) as (
      ${next}
      union all
      select (${next} and key_id > keys.key_id) from keys where keys.key_id is not null
    )
    select key_id from keys where key_id is not null and exists (
      select 1 from vat_checks as waiting
      where waiting.key_id = keys.key_id and waiting.status = 'pending'
      limit 1 offset ${Math.floor(perDay * busyPart)}
    )`.execute(db);
  return rows.map(({ key_id }) => key_id);
}

/** Lists the busy keys that have used their share of today. */
export async function listSpentKeys(
  db: Db,
  nowMs: number,
  { busy, most }: Shares,
): Promise<readonly string[]> {
  if (busy.size === 0) return [];
  const rows = await db
    .selectFrom('registry_key_calls')
    .select('key_id')
    .where('day', '=', dateIn('UTC', nowMs))
    .where('background', '>=', most)
    .execute();
  return rows.map(({ key_id }) => key_id).filter((keyId) => busy.has(keyId));
}

/** The moment at which background calls of a key go on, if its share or the budget of today is used up; else null. */
export async function findPause(
  db: Db,
  keyId: string,
  nowMs: number,
  perDay: RequestLimit,
): Promise<string | null> {
  if (await isBudgetSpent(db, nowMs, perDay)) {
    return formatInstant(endOfUtcDay(nowMs));
  }
  const spentKeys = await listSpentKeys(db, nowMs, await readShares(db, nowMs, perDay));
  return spentKeys.includes(keyId) ? formatInstant(sharedFrom(nowMs)) : null;
}

/** The shares as a worker uses them: it reads the busy keys every few seconds. */
export class KnownShares {
  readonly #db: Db;
  readonly #perDay: RequestLimit;
  #read: { readonly atMs: number; readonly shares: Shares } | undefined;

  constructor(db: Db, perDay: RequestLimit) {
    this.#db = db;
    this.#perDay = perDay;
  }

  async at(nowMs: number): Promise<Shares> {
    const read = this.#read;
    const isFresh = read !== undefined && Math.abs(nowMs - read.atMs) < freshMs;
    // At 18:00 the shares end at once.
    if (isFresh && (nowMs < sharedFrom(nowMs) || read.shares.busy.size === 0)) return read.shares;
    const shares = await readShares(this.#db, nowMs, this.#perDay);
    this.#read = { atMs: nowMs, shares };
    return shares;
  }
}
