import { randomBytes } from 'node:crypto';
import type { Db, Tx } from '../../platform/database/database.ts';
import { formatInstant } from '../../platform/time.ts';
import { type Trader, traderFields } from '../trader.ts';
import type { VatNumber } from '../vat-number.ts';
import { beginCheck } from './progress.ts';
import { type CheckRow, type StoredCheck, toStoredCheck } from './stored-check.ts';

/** A check as a caller creates it. */
export type NewCheck = {
  readonly keyId: string;
  /** Country and number as the caller sent them. */
  readonly countryCode: string;
  readonly vatNumber: string;
  /** The number as the registry is queried for it. */
  readonly queried: VatNumber;
  readonly requester: VatNumber | undefined;
  readonly trader: Trader;
  readonly hint: string | null;
  readonly reference: string | null;
  readonly expiresInHours: number;
};

/** Rows in one statement: few enough for the limits of parameters. */
const portionRows = 200;

/**
 * The id of a check or a batch. It begins with the moment of the creation and the place among those that are created
 * together, so that ids sort by their creation.
 */
export function createId(prefix: 'vc' | 'vb', nowMs: number, place = 0): string {
  const time = nowMs.toString(16).padStart(12, '0');
  return `${prefix}_${time}${place.toString(16).padStart(4, '0')}${randomBytes(8).toString('hex')}`;
}

/** An id that is greater than all ids of things created before a moment, and less than all others. */
export function firstIdOf(prefix: 'vc' | 'vb', ms: number): string {
  return `${prefix}_${Math.max(0, ms).toString(16).padStart(12, '0')}`;
}

/**
 * Writes pending checks, due now, in the caller's transaction, and returns them in the same order.
 *
 * With a `claim` they are claimed until `claim.until`, for a process that makes their first attempt itself.
 */
export async function insertChecks(
  tx: Tx,
  wanted: readonly NewCheck[],
  at: {
    readonly nowMs: number;
    readonly batchId?: string;
    readonly claim?: { readonly id: string; readonly until: string };
  },
): Promise<StoredCheck[]> {
  const rows = wanted.map((check, place) => toRow(check, createId('vc', at.nowMs, place), at));
  for (let from = 0; from < rows.length; from += portionRows) {
    await tx
      .insertInto('vat_checks')
      .values(rows.slice(from, from + portionRows))
      .execute();
  }
  return rows.map(toStoredCheck);
}

/** Writes a batch with its checks in the caller's transaction; returns its id. */
export async function insertBatch(
  tx: Tx,
  keyId: string,
  wanted: readonly NewCheck[],
  nowMs: number,
): Promise<string> {
  const id = createId('vb', nowMs);
  const batch = { id, key_id: keyId, checks: wanted.length, created_at: formatInstant(nowMs) };
  await tx.insertInto('vat_check_batches').values(batch).execute();
  await insertChecks(tx, wanted, { nowMs, batchId: id });
  return id;
}

function toRow(
  check: NewCheck,
  id: string,
  { nowMs, batchId, claim }: Parameters<typeof insertChecks>[2],
): CheckRow {
  const now = formatInstant(nowMs);
  const { queried, requester } = check;
  return {
    id,
    key_id: check.keyId,
    status: 'pending',
    country_code: check.countryCode,
    vat_number: check.vatNumber,
    registry_code: queried.registryCode,
    number: queried.number,
    requester_code: requester?.registryCode ?? null,
    requester_number: requester?.number ?? null,
    trader: printTrader(check.trader),
    hint: check.hint,
    reference: check.reference,
    batch_id: batchId ?? null,
    attempts: 0,
    failure: null,
    refused: null,
    unconfirmed_false_at: null,
    next_attempt_at: now,
    due_at: claim?.until ?? now,
    claim: claim?.id ?? null,
    created_at: now,
    expires_at: formatInstant(beginCheck(nowMs, check.expiresInHours).expiresAt),
    ended_at: null,
    valid: null,
    request_date: null,
    name: null,
    address: null,
    consultation_number: null,
    trader_match: null,
  };
}

/** The same text for equal traders, because stored checks are compared by it. */
function printTrader(trader: Trader): string {
  return JSON.stringify(trader, [...traderFields]);
}

/** Finds a check of a key; undefined if it is of another key, or does not exist. */
export async function findCheck(
  db: Db,
  keyId: string,
  id: string,
): Promise<StoredCheck | undefined> {
  const row = await db
    .selectFrom('vat_checks')
    .selectAll()
    .where('id', '=', id)
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  return row === undefined ? undefined : toStoredCheck(row);
}

/**
 * Finds the newest answered check of the same key, number, requester and trader whose answer is not older than
 * `oldestMs` (`maxAgeSeconds` of rule K4).
 */
export async function findReusable(
  db: Db,
  check: Pick<NewCheck, 'keyId' | 'queried' | 'requester' | 'trader'>,
  oldestMs: number,
): Promise<StoredCheck | undefined> {
  const { queried, requester } = check;
  const row = await db
    .selectFrom('vat_checks')
    .selectAll()
    .where('key_id', '=', check.keyId)
    .where('registry_code', '=', queried.registryCode)
    .where('number', '=', queried.number)
    .where('status', '=', 'answered')
    .where('ended_at', '>=', formatInstant(oldestMs))
    .where('requester_code', requester === undefined ? 'is' : '=', requester?.registryCode ?? null)
    .where('requester_number', requester === undefined ? 'is' : '=', requester?.number ?? null)
    .where('trader', '=', printTrader(check.trader))
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : toStoredCheck(row);
}
