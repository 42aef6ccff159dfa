import type { Db, Tx } from '../../platform/database/database.ts';
import type { BatchItem } from './batch.ts';
import { type BatchedCheck, insertBatch } from './batch-store.ts';
import { createIdOnce, type RequestMoment, type SentIdempotencyKey } from './idempotency.ts';
import type { OnEnded } from './on-ended.ts';

/** A batch as a caller requests it. */
export type WantedBatch = {
  readonly keyId: string;
  readonly items: readonly BatchItem[];
  /**
   * Charges as many queries of the registry to the quota of the caller's key, or throws the 429 (rule K10). Left out for
   * the operator, who is not charged.
   */
  readonly chargeQueries?: (count: number) => void | Promise<void>;
  /** Undefined without the header `Idempotency-Key`. */
  readonly idempotency: SentIdempotencyKey | undefined;
};

/** The moment of a batch, and the consequences of its ended checks. */
export type BatchCircumstances = RequestMoment & { readonly onEnded: OnEnded };

export type BatchCreation =
  /** A batch of this request, or the earlier one of the same idempotency key. */
  | { readonly kind: 'created'; readonly batchId: string }
  /** Another body came with the same idempotency key (409). */
  | { readonly kind: 'conflict' };

/**
 * Stores a batch in one transaction (rule K12). A check that has ended already when it is stored, because it is rejected or
 * reuses a stored answer, has all consequences of an end. The others are charged in the transaction, so a 429 stores nothing.
 */
export async function createBatch(
  db: Db,
  wanted: WantedBatch,
  at: BatchCircumstances,
): Promise<BatchCreation> {
  const { keyId, idempotency } = wanted;
  const create = async (tx: Tx): Promise<string> => insertItems(tx, wanted, at);
  return db.transaction().execute(async (tx): Promise<BatchCreation> => {
    if (idempotency === undefined) return { kind: 'created', batchId: await create(tx) };
    const once = await createIdOnce(tx, { keyId, ...idempotency }, at, async () => {
      const id = await create(tx);
      return { id, created: id };
    });
    if (once.kind === 'conflict') return once;
    return { kind: 'created', batchId: once.kind === 'created' ? once.created : once.id };
  });
}

/** Writes a batch in the caller's transaction, with the consequences of its ended checks; returns its id. */
export async function insertItems(
  tx: Tx,
  { keyId, items, chargeQueries }: Pick<WantedBatch, 'keyId' | 'items' | 'chargeQueries'>,
  { nowMs, onEnded }: BatchCircumstances,
): Promise<string> {
  const { batchId, checks } = await insertBatch(tx, keyId, items.map(toBatched(keyId)), nowMs);
  const ended = checks.filter(({ status }) => status !== 'pending');
  if (ended.length < checks.length) await chargeQueries?.(checks.length - ended.length);
  for (const check of ended) await onEnded(tx, check);
  return batchId;
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
