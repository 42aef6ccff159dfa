import { randomBytes } from 'node:crypto';
import type { Db, Tx } from '../../platform/database/database.ts';
import { auditSubscription, type RequestedChange } from './audit.ts';
import { lockExclusively } from './lock.ts';

/** Encrypts a secret, in the transaction that stores it. */
export type SealSecret = (subscriptionId: string, tx: Tx) => string | Promise<string>;

/** Stores a secret that signs until it is rotated. */
export async function insertSecret(
  tx: Tx,
  secret: { readonly subscriptionId: string; readonly sealed: string; readonly at: string },
): Promise<void> {
  await tx
    .insertInto('webhook_secrets')
    .values({
      id: `whs_${randomBytes(8).toString('hex')}`,
      subscription_id: secret.subscriptionId,
      sealed: secret.sealed,
      created_at: secret.at,
      ends_at: null,
    })
    .execute();
}

/**
 * Gives a subscription a new secret; older ones sign until `overlapEndsAt`, unless they end sooner. Returns whether
 * the subscription exists. The rotation is audited.
 */
export async function rotateSecret(
  db: Db,
  id: string,
  next: {
    readonly by: RequestedChange;
    readonly seal: SealSecret;
    readonly overlapEndsAt: string;
  },
): Promise<boolean> {
  const { by, seal, overlapEndsAt } = next;
  return db.transaction().execute(async (tx) => {
    if (!(await lockExclusively(tx, id))) return false;
    // Sealing locks the key in use, which has to come before the secrets (platform/encryption/key-in-use.ts).
    const sealed = await seal(id, tx);
    await tx
      .deleteFrom('webhook_secrets')
      .where('subscription_id', '=', id)
      .where('ends_at', '<=', by.at)
      .execute();
    await tx
      .updateTable('webhook_secrets')
      .set({ ends_at: overlapEndsAt })
      .where('subscription_id', '=', id)
      .where((e) => e.or([e('ends_at', 'is', null), e('ends_at', '>', overlapEndsAt)]))
      .execute();
    await insertSecret(tx, { subscriptionId: id, sealed, at: by.at });
    await auditSubscription(tx, 'rotate-secret', { id, by, detail: { overlapEndsAt } });
    return true;
  });
}

/** Reads the encrypted secrets that sign now, by subscription, newest first. */
export async function findSecrets(
  db: Db,
  subscriptionIds: readonly string[],
  at: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .selectFrom('webhook_secrets')
    .select(['subscription_id', 'sealed'])
    .where('subscription_id', 'in', subscriptionIds)
    .where((e) => e.or([e('ends_at', 'is', null), e('ends_at', '>', at)]))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  const found = new Map<string, string[]>();
  for (const { subscription_id: id, sealed } of rows) {
    found.getOrInsertComputed(id, () => []).push(sealed);
  }
  return found;
}
