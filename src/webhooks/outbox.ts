import { sql } from 'kysely';
import type { Tx } from '../platform/database/database.ts';
import { stableId } from '../platform/digest.ts';
import type { EventType } from './event.ts';

/**
 * Writes an event into the outbox, with a delivery for each subscription that is for it (contract C31).
 *
 * In the transaction that makes it true, so that it exists if and only if its rows do. Its id is the
 * same however often it is delivered (contract C28), and one date cannot have two.
 */
export async function announce(
  tx: Tx,
  event: { readonly type: EventType; readonly snapshotDate: string; readonly at: string },
): Promise<void> {
  const { type, snapshotDate, at } = event;
  const id = stableId('evt', type, snapshotDate);
  await tx
    .insertInto('events')
    .values({ id, type, snapshot_date: snapshotDate, created_at: at })
    .execute();
  const subscribed = tx
    .selectFrom('webhook_subscriptions as subscription')
    .innerJoin('api_keys as key', 'key.id', 'subscription.key_id')
    .where('subscription.status', '=', 'enabled')
    .where('subscription.events', 'like', `%"${type}"%`)
    .where('key.revoked_at', 'is', null)
    .where((e) => e.or([e('key.expires_at', 'is', null), e('key.expires_at', '>', at)]));
  await tx
    .insertInto('webhook_deliveries')
    .columns([
      'id',
      'subscription_id',
      'event_id',
      'status',
      'created_at',
      'due_at',
      'attempts_made',
    ])
    .expression(
      subscribed
        .select((e) => [
          deliveryId(id).as('id'),
          'subscription.id as subscription_id',
          e.val(id).as('event_id'),
          e.val('pending' as const).as('status'),
          e.val(at).as('created_at'),
          e.val(at).as('due_at'),
          e.val(0).as('attempts_made'),
        ])
        // One that is being removed is not delivered to; deliveries of nobody would stay for ever.
        .forKeyShare('subscription'),
    )
    .execute();
}

/** An event has one delivery for each subscription: its id is made of theirs, inside the statement. */
function deliveryId(eventId: string) {
  return sql<string>`${`dlv_${eventId.slice(4)}`} || substr(subscription.id, 5)`;
}
