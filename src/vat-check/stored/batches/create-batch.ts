import type { Db, Tx } from '../../../platform/database/database.ts';
import { markCommit } from '../../../platform/database/marks.ts';
import type { BatchItem } from './batch.ts';
import {
  type BatchedCheck,
  insertBatch,
  lockBatch,
  prepareBatch,
  type PreparedBatch,
} from './batch-store.ts';
import {
  chargeNameOf,
  createIdOnce,
  findIdOnce,
  type RequestMoment,
  type SentIdempotencyKey,
} from '../idempotency.ts';
import type { OpenCharges } from '../open-charges.ts';
import type { OnReused } from '../on-ended.ts';

/** A batch as a caller requests it. */
export type WantedBatch = {
  readonly keyId: string;
  readonly items: readonly BatchItem[];
  /**
   * Charges as many queries of the registry to the quota of the caller's key, or throws the 429 (rule K10). Left out for
   * the operator, who is not charged.
   */
  readonly chargeQueries?: ChargeQueries;
  /** Undefined without the header `Idempotency-Key`. */
  readonly idempotency: SentIdempotencyKey | undefined;
};

type ChargeQueries = (count: number) => void | Promise<void>;

/** The moment of a batch, and the consequences of its checks that reuse an answer. */
export type BatchCircumstances = RequestMoment & { readonly onReused: OnReused };

export type BatchCreation =
  /** A batch of this request, or the earlier one of the same idempotency key. */
  | { readonly kind: 'created'; readonly batchId: string }
  /** Another body came with the same idempotency key (409). */
  | { readonly kind: 'conflict' };

/**
 * Stores a batch in one transaction (rule K12). Look-ups of answers and signatures come before it. The checks that lead to a
 * query are charged in it, so a 429 stores nothing. A check that reuses an answer has all consequences of an end; one that
 * is rejected has none, because the answer to the batch leads to it (rule K14).
 */
export async function createBatch(
  db: Db,
  wanted: WantedBatch,
  at: BatchCircumstances & { readonly charges: OpenCharges },
): Promise<BatchCreation> {
  const { keyId, idempotency, chargeQueries } = wanted;
  const sent = idempotency && { keyId, ...idempotency };
  const earlier = sent && (await findIdOnce(db, sent, at));
  if (earlier !== undefined) return toCreation(earlier);
  const prepared = await prepareItems(db, wanted, at);
  const name = chargeNameOf(keyId, idempotency);
  const charge: ChargeQueries = async (count) => {
    if (chargeQueries !== undefined) await at.charges.charge(name, count, chargeQueries);
  };
  const create = async (tx: Tx): Promise<string> => storeBatch(tx, prepared, at, charge);
  const creation = await db.transaction().execute(async (tx): Promise<BatchCreation> => {
    await markCommit(tx);
    if (sent === undefined) return { kind: 'created', batchId: await create(tx) };
    const once = await createIdOnce(tx, sent, at, async () => {
      const id = await create(tx);
      return { id, created: id };
    });
    return toCreation(once.kind === 'created' ? { kind: 'repeated', id: once.created } : once);
  });
  at.charges.end(name);
  return creation;
}

function toCreation(
  once: { readonly kind: 'repeated'; readonly id: string } | { readonly kind: 'conflict' },
): BatchCreation {
  return once.kind === 'conflict' ? once : { kind: 'created', batchId: once.id };
}

/** Does what a batch needs before its transaction. */
export async function prepareItems(
  db: Db,
  { keyId, items }: Pick<WantedBatch, 'keyId' | 'items'>,
  { nowMs, onReused }: BatchCircumstances,
): Promise<PreparedBatch> {
  return prepareBatch(db, keyId, items.map(toBatched(keyId)), { nowMs, sign: onReused.sign });
}

/** Writes a batch in the caller's transaction, with the consequences of its reused checks; returns its id. */
export async function storeBatch(
  tx: Tx,
  prepared: PreparedBatch,
  { onReused }: BatchCircumstances,
  chargeQueries?: ChargeQueries,
): Promise<string> {
  const batch = await lockBatch(tx, prepared);
  if (batch.pendingCount > 0) await chargeQueries?.(batch.pendingCount);
  await insertBatch(tx, batch);
  await onReused.announce(tx, batch.reused);
  return batch.batchId;
}

function toBatched(keyId: string): (item: BatchItem) => BatchedCheck {
  return (item) => {
    const { echo, registry, requester, trader, reference, expiresInHours, maxAgeSeconds } = item;
    const given = {
      keyId,
      registry,
      ...echo,
      requester,
      trader,
      reference,
      expiresInHours,
      maxAgeSeconds,
    };
    return item.kind === 'check'
      ? { ...given, queried: item.vatNumber, hint: item.hint }
      : { ...given, queried: undefined, hint: null };
  };
}
