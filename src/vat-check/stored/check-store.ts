import { sql } from 'kysely';
import { type Claim, claimColumns, unclaimed } from '../../platform/database/claims.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { engineOf } from '../../platform/database/dialect.ts';
import { eachPortion, mapPortions } from '../../platform/database/portions.ts';
import { formatInstant } from '../../platform/time/time.ts';
import { type Trader, traderFields } from '../numbers/trader.ts';
import type { Requester } from '../numbers/requester.ts';
import { registryCodes } from '../numbers/registry-codes.ts';
import { viesCodes } from '../numbers/vat-number-formats.ts';
import { toRegistryCode, type VatNumber } from '../numbers/vat-number.ts';
import type { RegistryName } from '../registries/registry.ts';
import { storedNumber, toStoredCode } from '../registries/registry-code.ts';
import { beginCheck } from './attempts/progress.ts';
import { createId } from './ids.ts';
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
  /** The registry that is asked; left out for the usual one of the country. */
  readonly registry?: RegistryName | undefined;
  /** Country and number as the caller sent them. */
  readonly countryCode: string;
  readonly vatNumber: string;
  readonly requester: Requester | undefined;
  readonly trader: Trader;
  readonly hint: string | null;
  readonly reference: string | null;
  readonly expiresInHours: number;
  /** 0 if no stored answer may be reused. */
  readonly maxAgeSeconds: number;
};

/** The circumstances in which checks are created. */
export type InsertOptions = {
  readonly nowMs: number;
  readonly batchId?: string;
  readonly watchId?: string;
  readonly claim?: Claim;
};

/** Rows that one statement writes, in one turn of the event loop: each has about 30 parameters. */
const portionRows = 100;
/** Questions that one statement answers. */
const portionQuestions = 100;
/** Ids in one statement: few enough for the limits of parameters. */
const portionIds = 500;

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
  await eachPortion(rows, portionRows, async (portion) => {
    await tx.insertInto('vat_checks').values(portion).execute();
  });
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
    ...(queried === undefined ? unqueried(check) : storedNumber(queried, check.registry)),
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
    ...(claim === undefined ? unclaimed : claimColumns(claim)),
    created_at: now,
    expires_at: formatInstant(beginCheck(nowMs, check.expiresInHours).expiresAt),
    ended_at: null,
    valid: null,
    request_date: null,
    name: null,
    address: null,
    consultation_number: null,
    valid_from: null,
    valid_to: null,
    trader_match: null,
    watch_id: watchId ?? null,
    max_age_seconds: check.maxAgeSeconds,
    text_refusals: 0,
  };
}

/** The columns of a number that no registry can be queried for. */
function unqueried({ countryCode, registry = 'vies' }: NewCheck | RejectedCheck) {
  const code = toRegistryCode(countryCode, registry === 'vies' ? viesCodes : registryCodes);
  return { registry_code: code === undefined ? null : toStoredCode(code, registry), number: null };
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

/** The question of a check, and the moment of the oldest answer that may be used for it. */
export type AgedQuestion = Pick<NewCheck, 'registry' | 'queried' | 'requester' | 'trader'> & {
  readonly oldestMs: number;
};

/** The same text for the same question of one key. */
export function questionKey({
  registry,
  queried,
  requester,
  trader,
}: Omit<AgedQuestion, 'oldestMs'>): string {
  const { registry_code: code, number } = storedNumber(queried, registry);
  const ofRequester = [requester?.registryCode ?? '', requester?.number ?? ''];
  return JSON.stringify([code, number, ...ofRequester, traderText(trader)]);
}

/**
 * Finds for each question of a key the newest answered check whose answer is not too old (`maxAgeSeconds` of rule K4);
 * undefined if there is none. One statement answers a portion of the questions.
 */
export async function findReusable(
  db: Db,
  keyId: string,
  questions: readonly AgedQuestion[],
): Promise<(CheckRow | undefined)[]> {
  const { textInIndex } = engineOf(db);
  return mapPortions(questions, portionQuestions, async (portion) => {
    const values = portion.map(({ registry, queried, requester, trader, oldestMs }, place) => {
      const { registry_code: code, number } = storedNumber(queried, registry);
      const ofRequester = sql`${requester?.registryCode ?? ''}, ${requester?.number ?? ''}`;
      const aged = sql`${traderText(trader)}, ${formatInstant(oldestMs)}`;
      return sql`(cast(${place} as integer), ${code}, ${number}, ${ofRequester}, ${aged})`;
    });
    const { rows } = await sql<CheckRow & { readonly place: number }>`
      with question (place, code, number, requester_code, requester_number, trader, oldest) as (
        values ${sql.join(values)}
      )
      select question.place, known.* from question join vat_checks as known on known.id = (
        select found.id from vat_checks as found
        where found.key_id = ${keyId} and found.registry_code = question.code
          and found.number = question.number and found.status = 'answered'
          and coalesce(found.requester_code, '') = question.requester_code
          and coalesce(found.requester_number, '') = question.requester_number
          and ${textInIndex(sql.ref('found.trader'))} = ${textInIndex(sql.ref('question.trader'))}
          and found.trader = question.trader and found.ended_at >= question.oldest
        order by found.ended_at desc limit 1)`.execute(db);
    const found = new Map(rows.map(({ place, ...row }) => [place, row]));
    return portion.map((_, place) => found.get(place));
  });
}

/** The ids of those checks that exist. None of them can be deleted until the transaction ends. */
export async function lockExisting(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await mapPortions(ids, portionIds, async (portion) =>
    tx
      .selectFrom('vat_checks')
      .select('id')
      .where('id', 'in', portion)
      // In the order of all transactions that lock several checks.
      .orderBy('id')
      .forShare()
      .execute(),
  );
  return new Set(rows.map(({ id }) => id));
}
