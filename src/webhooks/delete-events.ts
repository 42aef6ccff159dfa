import type { Tx } from '../platform/database/database.ts';
import { deleteDeliveries } from './delete-deliveries.ts';

/**
 * Deletes the events about things that are deleted, by the ids of the things, with their deliveries and attempts
 * (rule K18). A delivery that has not succeeded yet is not made any more.
 *
 * The subscriptions are locked before their deliveries, and both in the order of their ids, as in every transaction.
 */
export async function deleteEvents(tx: Tx, subjects: readonly string[]): Promise<void> {
  const events = await tx
    .selectFrom('events')
    .select(['id', 'key_id'])
    .where('subject', 'in', subjects)
    .execute();
  if (events.length === 0) return;
  const eventIds = events.map(({ id }) => id);
  const keyIds = new Set(events.flatMap(({ key_id }) => key_id ?? []));
  const subscriptions = await tx
    .selectFrom('webhook_subscriptions')
    .select('id')
    .where('key_id', 'in', [...keyIds])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  if (subscriptions.length > 0) {
    const deliveries = tx
      .selectFrom('webhook_deliveries')
      .where('event_id', 'in', eventIds)
      .where(
        'subscription_id',
        'in',
        subscriptions.map(({ id }) => id),
      );
    await deliveries.select('id').orderBy('id').forUpdate().execute();
    await deleteDeliveries(tx, deliveries);
  }
  await tx.deleteFrom('events').where('id', 'in', eventIds).execute();
}
