import type { Tx } from '../../platform/database/database.ts';

/**
 * Locks on a subscription, until the transaction ends. Whoever needs one takes it before anything of the
 * subscription's deliveries is touched: in one order, nobody locks anybody out.
 */

/**
 * For whoever writes something that belongs to it: it is not removed meanwhile. False when there is no such
 * subscription.
 */
export async function keepSubscription(tx: Tx, id: string): Promise<boolean> {
  const row = await select(tx, id).forKeyShare().executeTakeFirst();
  return row !== undefined;
}

/** For a change of it, and for making its deliveries due: one at a time. False when there is no such subscription. */
export async function turnSubscription(tx: Tx, id: string): Promise<boolean> {
  const row = await select(tx, id).forNoKeyUpdate().executeTakeFirst();
  return row !== undefined;
}

/** Nobody else writes anything of it; false when there is no such subscription. */
export async function lockSubscription(tx: Tx, id: string): Promise<boolean> {
  const row = await select(tx, id).forUpdate().executeTakeFirst();
  return row !== undefined;
}

function select(tx: Tx, id: string) {
  return tx.selectFrom('webhook_subscriptions').select('id').where('id', '=', id);
}
