import type { Tx } from '../../platform/database/database.ts';
import { formatInstant } from '../../platform/time.ts';
import {
  createId,
  type InsertOptions,
  insertRows,
  lockReusable,
  type NewCheck,
  type RejectedCheck,
  toRow,
} from './check-store.ts';
import { type CheckRow, type StoredCheck, toStoredCheck } from './stored-check.ts';

/** A check of a batch. `maxAgeSeconds` is 0 if no stored answer may be reused. */
export type BatchedCheck = (NewCheck | RejectedCheck) & { readonly maxAgeSeconds: number };

export type CreatedBatch = {
  readonly batchId: string;
  /** The checks in the order of the batch. Rejected and reused ones have ended. */
  readonly checks: readonly StoredCheck[];
};

/**
 * Writes a batch with its checks in the caller's transaction (rule K12).
 *
 * A check whose number no registry can be queried for is rejected. One that may reuse a stored answer is answered: it
 * gets the answer, its moment and its exchange, under an id and an echo of its own. The others are pending, and due now.
 */
export async function insertBatch(
  tx: Tx,
  keyId: string,
  wanted: readonly BatchedCheck[],
  nowMs: number,
): Promise<CreatedBatch> {
  const batchId = createId('vb', nowMs);
  const batch = { id: batchId, key_id: keyId, checks: wanted.length };
  await tx
    .insertInto('vat_check_batches')
    .values({ ...batch, created_at: formatInstant(nowMs) })
    .execute();
  const rows: CheckRow[] = [];
  const exchanges: { readonly from: string; readonly to: string }[] = [];
  for (const [place, check] of wanted.entries()) {
    const { row, reused } = await toBatchedRow(tx, check, place, { nowMs, batchId });
    rows.push(row);
    if (reused !== undefined) exchanges.push({ from: reused, to: row.id });
  }
  await insertRows(tx, rows);
  for (const { from, to } of exchanges) await copyExchange(tx, from, to);
  return { batchId, checks: rows.map(toStoredCheck) };
}

/** The row of a check; `reused` is the id of the check whose answer it has. */
async function toBatchedRow(
  tx: Tx,
  check: BatchedCheck,
  place: number,
  at: InsertOptions,
): Promise<{ readonly row: CheckRow; readonly reused?: string }> {
  const row = toRow(check, place, at);
  const ended = { next_attempt_at: null, due_at: null };
  if (check.queried === undefined) {
    const rejected = { status: 'rejected', refused: 'number', ended_at: row.created_at } as const;
    return { row: { ...row, ...ended, ...rejected } };
  }
  if (check.maxAgeSeconds === 0) return { row };
  const oldestMs = at.nowMs - check.maxAgeSeconds * 1_000;
  const reused = await lockReusable(tx, { ...check, queried: check.queried }, oldestMs);
  if (reused === undefined) return { row };
  const { status, ended_at, valid, request_date, name, address } = reused;
  const { consultation_number, trader_match } = reused;
  const answer = { valid, request_date, name, address, consultation_number, trader_match };
  return { row: { ...row, ...ended, status, ended_at, ...answer }, reused: reused.id };
}

/** Gives a check the exchange of another one, not signed yet. */
async function copyExchange(tx: Tx, from: string, to: string): Promise<void> {
  await tx
    .insertInto('vat_check_exchanges')
    .columns(['check_id', 'url', 'request', 'response', 'requested_at', 'answered_at'])
    .expression((e) =>
      e
        .selectFrom('vat_check_exchanges')
        .select((of) => [
          of.val(to).as('check_id'),
          'url',
          'request',
          'response',
          'requested_at',
          'answered_at',
        ])
        .where('check_id', '=', from),
    )
    .execute();
}
