import type { Db, Tx } from '../../platform/database/database.ts';
import type { OnEnded } from './attempt-writer.ts';
import type { BatchItem } from './batch.ts';
import { type BatchedCheck, insertBatch } from './batch-store.ts';
import { findReusable } from './check-store.ts';
import { createIdOnce, type IdempotencyKey, isRepeated } from './idempotency.ts';

/** A batch as a caller requests it. */
export type WantedBatch = {
  readonly keyId: string;
  readonly items: readonly BatchItem[];
  /** Undefined without the header `Idempotency-Key`. */
  readonly idempotency: { readonly key: string; readonly bodyDigest: string } | undefined;
};

/** The moment of a batch, and the consequences of the checks that end with it. */
export type BatchCircumstances = { readonly nowMs: number; readonly onEnded: OnEnded };

export type BatchCreation =
  /** A batch of this request, or the earlier one of the same idempotency key. */
  | { readonly kind: 'created'; readonly batchId: string }
  /** Another body came with the same idempotency key (409). */
  | { readonly kind: 'conflict' };

/**
 * Counts the checks of a batch that a registry is to be queried for: neither rejected nor answered by a stored answer.
 * 0 for a repetition of an idempotency key. The batch is charged for them (rule K10).
 */
export async function countQueries(db: Db, wanted: WantedBatch, nowMs: number): Promise<number> {
  const key = toIdempotencyKey(wanted);
  if (key !== undefined && (await isRepeated(db, key, nowMs))) return 0;
  let count = 0;
  for (const { queried, maxAgeSeconds, ...check } of wanted.items.map(toBatched(wanted.keyId))) {
    if (queried === undefined) continue;
    const oldestMs = nowMs - maxAgeSeconds * 1_000;
    const isReused =
      maxAgeSeconds > 0 && (await findReusable(db, { ...check, queried }, oldestMs)) !== undefined;
    if (!isReused) count += 1;
  }
  return count;
}

/**
 * Stores a batch in one transaction (rule K12). Checks that end with that, because they are rejected or answered by a
 * stored answer, have all consequences of an end.
 */
export async function createBatch(
  db: Db,
  wanted: WantedBatch,
  at: BatchCircumstances,
): Promise<BatchCreation> {
  const key = toIdempotencyKey(wanted);
  const create = async (tx: Tx): Promise<string> => insertItems(tx, wanted, at);
  return db.transaction().execute(async (tx): Promise<BatchCreation> => {
    if (key === undefined) return { kind: 'created', batchId: await create(tx) };
    const once = await createIdOnce(tx, key, at.nowMs, async () => {
      const id = await create(tx);
      return { id, created: id };
    });
    if (once.kind === 'conflict') return once;
    return { kind: 'created', batchId: once.kind === 'created' ? once.created : once.id };
  });
}

/** Writes a batch in the caller's transaction, with the consequences of the checks that end with that; returns its id. */
export async function insertItems(
  tx: Tx,
  { keyId, items }: Pick<WantedBatch, 'keyId' | 'items'>,
  { nowMs, onEnded }: BatchCircumstances,
): Promise<string> {
  const { batchId, checks } = await insertBatch(tx, keyId, items.map(toBatched(keyId)), nowMs);
  for (const check of checks) {
    if (check.status !== 'pending') await onEnded(tx, check);
  }
  return batchId;
}

function toIdempotencyKey({ keyId, idempotency }: WantedBatch): IdempotencyKey | undefined {
  if (idempotency === undefined) return undefined;
  const { key, bodyDigest } = idempotency;
  return { keyId, idempotencyKey: key, bodyDigest };
}

function toBatched(keyId: string): (item: BatchItem) => BatchedCheck {
  return (item) => {
    const { echo, requester, trader, reference, expiresInHours, maxAgeSeconds } = item;
    const given = { keyId, ...echo, requester, trader, reference, expiresInHours, maxAgeSeconds };
    return item.kind === 'check'
      ? { ...given, queried: item.vatNumber, hint: item.hint }
      : { ...given, queried: undefined, hint: null };
  };
}
