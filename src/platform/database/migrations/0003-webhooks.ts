import { type Kysely, sql } from 'kysely';

/**
 * Creates the tables of subscriptions, their secrets, deliveries and attempts.
 *
 * The table of events is replaced by a new one: `webhook.test` has no snapshot date, and SQLite cannot remove
 * `not null` from a column.
 */
export async function createWebhooks(db: Kysely<unknown>): Promise<void> {
  await loosenEvents(db);
  await createSubscriptions(db);
  await createDeliveries(db);
}

async function loosenEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('events_next')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('snapshot_date', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('events_once_each', ['type', 'snapshot_date'])
    .execute();
  await sql`insert into events_next (id, type, snapshot_date, created_at)
    select id, type, snapshot_date, created_at from events`.execute(db);
  await db.schema.dropTable('events').execute();
  await db.schema.alterTable('events_next').renameTo('events').execute();
}

async function createSubscriptions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_subscriptions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('events', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('disabled_reason', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('enabled_at', 'text', (c) => c.notNull())
    .addColumn('last_success_at', 'text')
    .addColumn('exhausted_events', 'integer', (c) => c.notNull())
    .addColumn('failing', 'integer', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('webhook_subscriptions_of_key')
    .on('webhook_subscriptions')
    .columns(['key_id', 'created_at'])
    .execute();
  await db.schema
    .createTable('webhook_secrets')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('subscription_id', 'text', (c) => c.notNull())
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'text')
    .execute();
  await db.schema
    .createIndex('webhook_secrets_of_subscription')
    .on('webhook_secrets')
    .columns(['subscription_id'])
    .execute();
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('subscription_id', 'text', (c) => c.notNull())
    .addColumn('event_id', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('due_at', 'text')
    .addColumn('attempts_made', 'integer', (c) => c.notNull())
    .addColumn('claim', 'text')
    .addColumn('claimed_until', 'text')
    .addUniqueConstraint('webhook_deliveries_once', ['subscription_id', 'event_id'])
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_due')
    .on('webhook_deliveries')
    .columns(['due_at', 'id'])
    .where(sql.ref('due_at'), 'is not', null)
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_newest')
    .on('webhook_deliveries')
    .columns(['subscription_id', 'created_at desc', 'id desc'])
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_oldest')
    .on('webhook_deliveries')
    .columns(['created_at'])
    .execute();
  await db.schema
    .createTable('webhook_attempts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('delivery_id', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('status_code', 'integer')
    .addColumn('duration_ms', 'integer', (c) => c.notNull())
    .addColumn('error', 'text')
    .execute();
  await db.schema
    .createIndex('webhook_attempts_of_delivery')
    .on('webhook_attempts')
    .columns(['delivery_id', 'at'])
    .execute();
}
