import type { Kysely } from 'kysely';

/**
 * Creates the table of the headers that deliveries have (contract C27).
 *
 * Replicas of version 0.3 do not know it. If one removes a subscription, the foreign key removes its headers; if one changes
 * its URL, the URL of the headers is another one, and they are not sent any more.
 */
export async function createWebhookHeaders(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_headers')
    .addColumn('subscription_id', 'text', (c) =>
      c.primaryKey().references('webhook_subscriptions.id').onDelete('cascade'),
    )
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('names', 'text', (c) => c.notNull())
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
}
