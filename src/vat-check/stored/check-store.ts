import { randomBytes } from 'node:crypto';
import type { Db, Tx } from '../../platform/database/database.ts';
import { formatInstant } from '../../platform/time.ts';
import { type Trader, traderFields } from '../trader.ts';
import { toRegistryCode, type VatNumber } from '../vat-number.ts';
import { beginCheck } from './progress.ts';
import { type CheckRow, type StoredCheck, toStoredCheck } from './stored-check.ts';

/** A check as a caller creates it, whose number a registry can be queried for. */
export type NewCheck = CheckOfCaller & {
  /** The number as the registry is queried for it. */
  readonly queried: VatNumber;
};

/** A check of a batch, whose number no registry can be queried for: stored as rejected (rule K12). */
export type RejectedCheck = CheckOfCaller & { readonly queried: undefined };

type CheckOfCaller = {
  readonly keyId: string;
  /** Country and number as the caller sent them. */
  readonly countryCode: string;
  readonly vatNumber: string;
  readonly requester: VatNumber | undefined;
  readonly trader: Trader;
  readonly hint: string | null;
  readonly reference: string | null;
  readonly expiresInHours: number;
};

/** The circumstances in which checks are created. */
export type InsertOptions = {
  readonly nowMs: number;
  readonly batchId?: string;
  readonly watchId?: string;
  readonly claim?: { readonly id: string; readonly until: string };
};

/** The most rows in one statement: few enough for the limits of parameters. */
const portionRows = 200;

/**
 * Creates the id of a check, a batch or a watch. It begins with the moment of the creation and the place among those that are
 * created together, so that ids sort by their creation.
 */
export function createId(prefix: 'vc' | 'vb' | 'vw', nowMs: number, place = 0): string {
  const time = nowMs.toString(16).padStart(12, '0');
  return `${prefix}_${time}${place.toString(16).padStart(4, '0')}${randomBytes(8).toString('hex')}`;
}

/** A text that is greater than the ids of all things that were created before a moment, and less than all other ids. */
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
  at: InsertOptions,
): Promise<StoredCheck[]> {
  const rows = wanted.map((check, place) => toRow(check, place, at));
  await insertRows(tx, rows);
  return rows.map(toStoredCheck);
}

/** Writes rows of `toRow` in the caller's transaction. */
export async function insertRows(tx: Tx, rows: readonly CheckRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += portionRows) {
    await tx
      .insertInto('vat_checks')
      .values(rows.slice(from, from + portionRows))
      .execute();
  }
}

/** The row of a pending check; `place` is its place among those that are created together. */
export function toRow(
  check: NewCheck | RejectedCheck,
  place: number,
  { nowMs, batchId, watchId, claim }: InsertOptions,
): CheckRow {
  const now = formatInstant(nowMs);
  const { queried, requester } = check;
  return {
    id: createId('vc', nowMs, place),
    key_id: check.keyId,
    status: 'pending',
    country_code: check.countryCode,
    vat_number: check.vatNumber,
    registry_code: queried?.registryCode ?? toRegistryCode(check.countryCode) ?? null,
    number: queried?.number ?? null,
    requester_code: requester?.registryCode ?? null,
    requester_number: requester?.number ?? null,
    trader: traderText(check.trader),
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
    watch_id: watchId ?? null,
  };
}

/** The same text for equal traders, because stored checks are compared by it. */
export function traderText(trader: Trader): string {
  return JSON.stringify(trader, [...traderFields]);
}

/** Finds a check of any key or of the operator: for the operator only. */
export async function findAnyCheck(db: Db, id: string): Promise<StoredCheck | undefined> {
  const row = await db.selectFrom('vat_checks').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toStoredCheck(row);
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
 * `oldestMs` (`maxAgeSeconds` of rule K4). The check cannot be deleted until the transaction ends.
 */
export async function lockReusable(
  tx: Tx,
  check: Pick<NewCheck, 'keyId' | 'queried' | 'requester' | 'trader'>,
  oldestMs: number,
): Promise<CheckRow | undefined> {
  const { queried, requester } = check;
  return tx
    .selectFrom('vat_checks')
    .selectAll()
    .where('key_id', '=', check.keyId)
    .where('registry_code', '=', queried.registryCode)
    .where('number', '=', queried.number)
    .where('status', '=', 'answered')
    .where('ended_at', '>=', formatInstant(oldestMs))
    .where('requester_code', requester === undefined ? 'is' : '=', requester?.registryCode ?? null)
    .where('requester_number', requester === undefined ? 'is' : '=', requester?.number ?? null)
    .where('trader', '=', traderText(check.trader))
    .orderBy('ended_at', 'desc')
    .limit(1)
    .forShare()
    .executeTakeFirst();
}
