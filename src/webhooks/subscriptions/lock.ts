import type { Tx } from '../../platform/database/database.ts';

/**
 * Locks on a subscription, held until the transaction ends; each returns whether the subscription exists.
 *
 * A transaction takes its lock before it touches any delivery of the subscription. Every transaction keeps this
 * order, so that two of them cannot deadlock.
 */

/** Lets one transaction at a time change the subscription or make its deliveries due. */
export async function lockForDeliveries(tx: Tx, id: string): Promise<boolean> {
  const row = await select(tx, id).forNoKeyUpdate().executeTakeFirst();
  return row !== undefined;
}

/** Keeps other transactions from writing anything that belongs to the subscription. */
export async function lockExclusively(tx: Tx, id: string): Promise<boolean> {
  const row = await select(tx, id).forUpdate().executeTakeFirst();
  return row !== undefined;
}

function select(tx: Tx, id: string) {
  return tx.selectFrom('webhook_subscriptions').select('id').where('id', '=', id);
}
