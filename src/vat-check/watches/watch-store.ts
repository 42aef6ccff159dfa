import { sql } from 'kysely';
import {
  bytesOf,
  type PageRequest,
  readPage,
  sizedList,
} from '../../platform/database/bounded-page.ts';
import { unclaimed } from '../../platform/database/claims.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { hasValue } from '../../platform/database/rows-with-value.ts';
import { formatInstant } from '../../platform/time/time.ts';
import { checkBytes } from '../stored/requests/check-list.ts';
import { traderText } from '../stored/check-store.ts';
import { createId } from '../stored/ids.ts';
import type { VatNumber } from '../numbers/vat-number.ts';
import { storedCodesOf, storedNumber } from '../registries/registry-code.ts';
import { firstSlot } from './schedule.ts';
import { toWatch, type WantedWatch, type Watch, type WatchRow } from './watch.ts';

/** The identity of a watch of a key: a number at a registry. */
export type WatchedNumber = Pick<WantedWatch, 'queried' | 'registry'>;

/** Watches of one key (rule K13). */
export const watchesMax = 100_000;

export type PutWatch =
  | { readonly kind: 'created' | 'changed'; readonly watch: Watch }
  /** The key has its maximum of watches (409). */
  | { readonly kind: 'tooMany' };

/**
 * Creates the watch of a number, with its first check due now, or changes all that a caller gives of it. Spellings of one
 * number are one watch.
 *
 * A changed watch keeps its last answer. Its next check stays, unless it has a new period: then it is due in the second
 * half of that, counted from now.
 */
export async function putWatch(
  db: Db,
  wanted: WantedWatch,
  { nowMs, max = watchesMax }: { readonly nowMs: number; readonly max?: number },
): Promise<PutWatch> {
  const { keyId, queried, registry } = wanted;
  return db.transaction().execute(async (tx) => {
    // The lock keeps two requests from both taking the last place, and from creating the same watch.
    const key = tx.selectFrom('api_keys').select('id').where('id', '=', keyId);
    await key.forNoKeyUpdate().execute();
    const before = await selectWatch(tx, keyId, { queried, registry })
      .forUpdate()
      .executeTakeFirst();
    if (before !== undefined) {
      const set = {
        ...unclaimed,
        ...columnsOf(wanted),
        ...slotsAfterChange(before, wanted.everyDays, nowMs),
        ...errorAfterChange(before, wanted, nowMs),
      };
      await tx.updateTable('vat_watches').set(set).where('id', '=', before.id).execute();
      return { kind: 'changed', watch: toWatch({ ...before, ...set }) };
    }
    if ((await countWatches(tx, keyId)) >= max) return { kind: 'tooMany' };
    const id = createId('vw', nowMs);
    const now = formatInstant(nowMs);
    const row = {
      id,
      key_id: keyId,
      ...storedNumber(queried, registry),
      ...columnsOf(wanted),
      due_at: now,
      slot_at: formatInstant(firstSlot(id, nowMs, wanted.everyDays)),
      ...unclaimed,
      error: null,
      failed_at: null,
      last_check_id: null,
      baseline_check_id: null,
      unconfirmed_false_at: null,
      created_at: now,
    };
    await tx.insertInto('vat_watches').values(row).execute();
    return { kind: 'created', watch: toWatch(row) };
  });
}

/** Finds the watch of a number; undefined if the key has none. */
export async function findWatch(
  db: Db,
  keyId: string,
  watched: WatchedNumber,
): Promise<Watch | undefined> {
  const row = await selectWatch(db, keyId, watched).executeTakeFirst();
  return row === undefined ? undefined : toWatch(row);
}

/** Deletes the events about watches alone, by the ids of the watches, in the transaction that deletes the watches. */
export type OnWatchesDeleted = (tx: Tx, ids: readonly string[]) => Promise<unknown>;

/** Deletes the watch of a number with the events about it alone, not its checks; false if the key has none. */
export async function deleteWatch(
  db: Db,
  keyId: string,
  { queried, registry }: WatchedNumber,
  onDeleted: OnWatchesDeleted,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const stored = storedNumber(queried, registry);
    const row = await tx
      .deleteFrom('vat_watches')
      .where('key_id', '=', keyId)
      .where('registry_code', '=', stored.registry_code)
      .where('number', '=', stored.number)
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) return false;
    await onDeleted(tx, [row.id]);
    return true;
  });
}

/** Deletes the watches of a number at every registry, those of every key (rule K18); returns their ids. */
export async function forgetWatches(
  tx: Tx,
  { registryCode, number }: VatNumber,
): Promise<readonly string[]> {
  const deleted = await tx
    .deleteFrom('vat_watches')
    .where('registry_code', 'in', storedCodesOf(registryCode))
    .where('number', '=', number)
    .returning('id')
    .execute();
  return deleted.map(({ id }) => id);
}

export type WatchPage = {
  readonly watches: readonly Watch[];
  /** The id that the next page begins after; undefined on the last page. */
  readonly nextCursor: string | undefined;
};

/** The size of a watch with its newest check as JSON. */
const watchBytes = sql<number>`
  ${bytesOf(['country_code', 'vat_number', 'trader', 'reference'], 500)} + coalesce((
    select ${checkBytes('last_check')} from vat_checks as last_check
    where last_check.id = vat_watches.last_check_id
  ), 0)`;

/** Lists the watches of a key, newest first, after the watch of the cursor if there is one. */
export async function listWatches(db: Db, keyId: string, page: PageRequest): Promise<WatchPage> {
  return listAllWatches(db, keyId, page);
}

/** Lists the watches of every key, or of one: for the operator only. */
export async function listAllWatches(
  db: Db,
  keyId: string | undefined,
  { limit, cursor }: PageRequest,
): Promise<WatchPage> {
  let query = db.selectFrom('vat_watches').selectAll();
  if (keyId !== undefined) {
    query = query.where(hasValue(db, 'key_id', keyId)).orderBy('key_id', 'desc');
  }
  if (cursor !== undefined) query = query.where('id', '<', cursor);
  const list = sizedList(query.orderBy('id', 'desc'), watchBytes);
  const { page, last } = await readPage(list, limit);
  return { watches: page.map(toWatch), nextCursor: last?.id };
}

function selectWatch(db: Db, keyId: string, { queried, registry }: WatchedNumber) {
  const stored = storedNumber(queried, registry);
  return db
    .selectFrom('vat_watches')
    .selectAll()
    .where('key_id', '=', keyId)
    .where('registry_code', '=', stored.registry_code)
    .where('number', '=', stored.number);
}

async function countWatches(tx: Tx, keyId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('vat_watches')
    .select((e) => e.fn.countAll<number | string>().as('count'))
    .where('key_id', '=', keyId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The columns that a caller gives. */
function columnsOf(wanted: WantedWatch) {
  return {
    country_code: wanted.countryCode,
    vat_number: wanted.vatNumber,
    hint: wanted.hint,
    every_days: wanted.everyDays,
    requester_code: wanted.requester?.registryCode ?? null,
    requester_number: wanted.requester?.number ?? null,
    trader: traderText(wanted.trader),
    reference: wanted.reference,
  };
}

/** A watch whose requester was refused is due now if the caller gives another one. */
function errorAfterChange(before: WatchRow, { requester }: WantedWatch, nowMs: number) {
  const isSame =
    requester?.registryCode === before.requester_code &&
    requester.number === before.requester_number;
  if (before.error !== 'INVALID_REQUESTER' || isSame) return {};
  return { error: null, due_at: formatInstant(nowMs) };
}

/** A check that is due for another reason than the period, such as the first one, stays due. */
function slotsAfterChange(before: WatchRow, everyDays: number, nowMs: number) {
  if (before.every_days === everyDays) return {};
  const slot_at = formatInstant(firstSlot(before.id, nowMs, everyDays));
  return before.due_at === before.slot_at ? { slot_at, due_at: slot_at } : { slot_at };
}
