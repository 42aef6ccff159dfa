import type { Kysely } from 'kysely';

/** Creates the table of watches, and adds the watch that a stored check belongs to. */
export async function createVatWatches(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('vat_checks').addColumn('watch_id', 'text').execute();
  await db.schema
    .createTable('vat_watches')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('country_code', 'text', (c) => c.notNull())
    .addColumn('vat_number', 'text', (c) => c.notNull())
    .addColumn('registry_code', 'text', (c) => c.notNull())
    .addColumn('number', 'text', (c) => c.notNull())
    .addColumn('hint', 'text')
    .addColumn('every_days', 'integer', (c) => c.notNull())
    .addColumn('requester_code', 'text')
    .addColumn('requester_number', 'text')
    .addColumn('trader', 'text', (c) => c.notNull())
    .addColumn('reference', 'text')
    .addColumn('due_at', 'text', (c) => c.notNull())
    .addColumn('slot_at', 'text', (c) => c.notNull())
    .addColumn('error', 'text')
    .addColumn('last_check_id', 'text')
    .addColumn('baseline_check_id', 'text')
    .addColumn('unconfirmed_false_at', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('vat_watches_once', ['key_id', 'registry_code', 'number'])
    .execute();
  const index = async (name: string, ...columns: string[]): Promise<void> =>
    db.schema.createIndex(`vat_watches_${name}`).on('vat_watches').columns(columns).execute();
  await index('newest', 'key_id', 'id');
  await index('due', 'due_at', 'id');
  await index('of_number', 'registry_code', 'number');
  await index('of_baseline', 'baseline_check_id');
}
