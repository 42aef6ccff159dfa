import { type Kysely, sql } from 'kysely';

/**
 * Adds the key that an event belongs to, null for a public event, and changes the disabled reason `key ended` to
 * `key_ended`.
 */
export async function addEventKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('events').addColumn('key_id', 'text').execute();
  await sql`update events set key_id = (
    select subscription.key_id from webhook_deliveries as delivery
    join webhook_subscriptions as subscription on subscription.id = delivery.subscription_id
    where delivery.event_id = events.id
  ) where type = 'webhook.test'`.execute(db);
  await sql`update webhook_subscriptions set disabled_reason = 'key_ended'
    where disabled_reason = 'key ended'`.execute(db);
}
