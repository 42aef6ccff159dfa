import type { Kysely } from 'kysely';

/** Adds the failure of a watch that was announced, and an index of the watches that have an error. */
export async function addFailedWatches(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('vat_watches').addColumn('failed_at', 'text').execute();
  await db.schema
    .createIndex('vat_watches_failed')
    .on('vat_watches')
    .columns(['error', 'key_id'])
    .where('error', 'is not', null)
    .execute();
}
