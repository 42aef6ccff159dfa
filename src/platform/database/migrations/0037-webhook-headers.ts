import type { Kysely } from 'kysely';

/**
 * Creates the table of the headers that deliveries have, and adds to attempts what is kept of an answer that refuses
 * (contract C27).
 *
 * Replicas of version 0.3 know none of it. If one removes a subscription, the foreign key removes its headers; if one changes
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
  await db.schema.alterTable('webhook_attempts').addColumn('answer', 'text').execute();
  await db.schema.alterTable('webhook_attempts').addColumn('location', 'text').execute();
}
