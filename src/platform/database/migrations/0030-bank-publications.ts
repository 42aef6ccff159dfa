import type { Kysely } from 'kysely';

/** Creates the tables of national banks: their publications, and what their answers have shown. */
export async function createBankPublications(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('bank_publications')
    .addColumn('bank', 'text', (c) => c.notNull())
    .addColumn('date', 'text', (c) => c.notNull())
    .addColumn('table_number', 'text')
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('stored_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('bank_publications_key', ['bank', 'date'])
    .execute();
  await db.schema
    .createTable('bank_reads')
    .addColumn('bank', 'text', (c) => c.primaryKey())
    .addColumn('complete_through', 'text', (c) => c.notNull())
    .addColumn('fetched_at', 'text', (c) => c.notNull())
    .execute();
}
