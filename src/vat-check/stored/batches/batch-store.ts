import type { Selectable } from 'kysely';
import { unclaimed } from '../../../platform/database/claims.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { eachPortion, mapPortions } from '../../../platform/database/portions.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import { formatInstant } from '../../../platform/time/time.ts';
import { hintOfAnswer } from '../../numbers/hint.ts';
import {
  type AgedQuestion,
  findReusable,
  insertRows,
  lockExisting,
  type NewCheck,
  questionKey,
  type RejectedCheck,
  toRow,
} from '../check-store.ts';
import { createId } from '../ids.ts';
import { type CheckRow, type StoredCheck, toStoredCheck } from '../stored-check.ts';

export type BatchedCheck = NewCheck | RejectedCheck;

export type ExchangeRow = Selectable<Tables['vat_check_exchanges']>;

/** A check with the exchange that its answer came with, which is another check's. */
export type Reuse = { readonly check: StoredCheck; readonly exchange: ExchangeRow };

/** A row of a batch. A reused answer is that of `source`, which may be deleted before the batch is stored. */
type PreparedRow = {
  readonly row: CheckRow;
  readonly reused?: {
    readonly source: CheckRow;
    readonly answered: CheckRow;
    /** The exchange of the answer, signed for this check; undefined if it has none. */
    readonly exchange: ExchangeRow | undefined;
  };
};

/** A batch with everything that can be found out before its transaction. */
export type PreparedBatch = {
  readonly batchId: string;
  readonly keyId: string;
  readonly createdAt: string;
  readonly rows: readonly PreparedRow[];
};

type Circumstances = {
  readonly nowMs: number;
  /** Signs exchanges as those of the checks that reuse them. */
  readonly sign: (db: Db, reuses: readonly Reuse[]) => Promise<readonly ExchangeRow[]>;
};

/** Checks that are made, and exchanges that are read or written, in one turn of the event loop. */
const portionRows = 50;

/**
 * Looks up stored answers and signs their exchanges, outside of a transaction and in portions (rule K12).
 *
 * A check whose number no registry can be queried for is rejected. One that may reuse a stored answer is answered: it
 * gets the answer, its moment and its exchange, under an id and an echo of its own. The others are pending, and due now.
 */
export async function prepareBatch(
  db: Db,
  keyId: string,
  wanted: readonly BatchedCheck[],
  { nowMs, sign }: Circumstances,
): Promise<PreparedBatch> {
  const batchId = createId('vb', nowMs);
  const known = await findKnown(db, keyId, wanted, nowMs);
  const indexed = wanted.map((check, place) => ({ check, place }));
  const made = await mapPortions(indexed, portionRows, (portion) =>
    portion.map(({ check, place }) => {
      const row = endIfRejected(check, toRow(check, place, { nowMs, batchId }));
      return { row, source: known(check) };
    }),
  );
  const exchanges = await signReused(db, made, sign);
  const rows = made.map(({ row, source }): PreparedRow => {
    if (source === undefined) return { row };
    return {
      row,
      reused: { source, answered: answer(row, source), exchange: exchanges.get(row.id) },
    };
  });
  return { batchId, keyId, createdAt: formatInstant(nowMs), rows };
}

/** One look-up for each different question. Returns a function that finds the check whose answer a check may reuse. */
async function findKnown(
  db: Db,
  keyId: string,
  wanted: readonly BatchedCheck[],
  nowMs: number,
): Promise<(check: BatchedCheck) => CheckRow | undefined> {
  const oldestMs = (check: BatchedCheck): number => nowMs - check.maxAgeSeconds * 1_000;
  const questions = new Map<string, AgedQuestion>();
  for (const check of wanted) {
    if (check.queried === undefined || check.maxAgeSeconds === 0) continue;
    const question = { ...check, queried: check.queried, oldestMs: oldestMs(check) };
    const key = questionKey(question);
    const same = questions.get(key);
    // The newest answer is found: if it is too old for a check, there is none for it.
    if (same === undefined || question.oldestMs < same.oldestMs) questions.set(key, question);
  }
  const found = await findReusable(db, keyId, [...questions.values()]);
  const byKey = new Map([...questions.keys()].map((key, at) => [key, found[at]]));
  return (check) => {
    if (check.queried === undefined || check.maxAgeSeconds === 0) return undefined;
    const source = byKey.get(questionKey({ ...check, queried: check.queried }));
    const oldest = formatInstant(oldestMs(check));
    return source !== undefined && (source.ended_at ?? '') >= oldest ? source : undefined;
  };
}

function endIfRejected(check: BatchedCheck, row: CheckRow): CheckRow {
  if (check.queried !== undefined) return row;
  const ended = { next_attempt_at: null, due_at: null, ended_at: row.created_at };
  return { ...row, ...ended, status: 'rejected', refused: 'number' };
}

function answer(row: CheckRow, source: CheckRow): CheckRow {
  return { ...row, ...columnsOfReused(row, source) };
}

/** The columns of a check that ends with the answer of another one, and with its moment. */
export function columnsOfReused(row: CheckRow, source: CheckRow) {
  const { status, ended_at, valid, request_date, name, address } = source;
  const { consultation_number, trader_match, valid_from, valid_to } = source;
  const { registry } = toStoredCheck(row);
  const hasRequester = row.requester_code !== null;
  return {
    status,
    ended_at,
    next_attempt_at: null,
    due_at: null,
    ...unclaimed,
    failure: null,
    hint: hintOfAnswer(row.hint, {
      registry,
      hasRequester,
      consultationNumber: consultation_number,
    }),
    valid,
    request_date,
    name,
    address,
    consultation_number,
    trader_match,
    valid_from,
    valid_to,
  };
}

/** The signed exchanges of checks that reuse an answer, by the ids of these checks. */
async function signReused(
  db: Db,
  made: readonly { readonly row: CheckRow; readonly source: CheckRow | undefined }[],
  sign: Circumstances['sign'],
): Promise<ReadonlyMap<string, ExchangeRow>> {
  const sources = new Set(made.flatMap(({ source }) => source?.id ?? []));
  const rows = await mapPortions([...sources], portionRows, async (ids) =>
    db.selectFrom('vat_check_exchanges').selectAll().where('check_id', 'in', ids).execute(),
  );
  const exchangeOf = new Map(rows.map((row) => [row.check_id, row]));
  const reuses = made.flatMap(({ row, source }) => {
    const exchange = source && exchangeOf.get(source.id);
    if (source === undefined || exchange === undefined) return [];
    return [{ check: toStoredCheck(answer(row, source)), exchange }];
  });
  const signed = reuses.length === 0 ? [] : await sign(db, reuses);
  return new Map(signed.map((exchange) => [exchange.check_id, exchange]));
}

/** A batch as it is to be stored. */
export type LockedBatch = Omit<PreparedBatch, 'rows'> & {
  readonly rows: readonly CheckRow[];
  readonly exchanges: readonly ExchangeRow[];
  /** The checks that reuse an answer. */
  readonly reused: readonly StoredCheck[];
  /** Checks that lead to a query of the registry. */
  readonly pendingCount: number;
};

/**
 * Locks the answers that a batch reuses, until the transaction ends. A check whose source was deleted meanwhile is pending:
 * an answer that is deleted, or a number that is forgotten, does not come back.
 */
export async function lockBatch(tx: Tx, { rows, ...batch }: PreparedBatch): Promise<LockedBatch> {
  const sources = new Set(rows.flatMap(({ reused }) => reused?.source.id ?? []));
  const existing = await lockExisting(tx, [...sources]);
  const kept = rows.map(({ row, reused }) => {
    return { row, reused: reused && existing.has(reused.source.id) ? reused : undefined };
  });
  const stored = kept.map(({ row, reused }) => reused?.answered ?? row);
  return {
    ...batch,
    rows: stored,
    exchanges: kept.flatMap(({ reused }) => reused?.exchange ?? []),
    reused: kept.flatMap(({ reused }) => (reused ? [toStoredCheck(reused.answered)] : [])),
    pendingCount: stored.filter(({ status }) => status === 'pending').length,
  };
}

/** Writes a batch with its checks in the caller's transaction (rule K12). */
export async function insertBatch(tx: Tx, batch: LockedBatch): Promise<void> {
  const { batchId: id, keyId: key_id, createdAt: created_at, rows, exchanges } = batch;
  await tx
    .insertInto('vat_check_batches')
    .values({ id, key_id, checks: rows.length, created_at })
    .execute();
  await insertRows(tx, rows);
  await eachPortion(exchanges, portionRows, async (portion) => {
    await tx.insertInto('vat_check_exchanges').values(portion).execute();
  });
}
