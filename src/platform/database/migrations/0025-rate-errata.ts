import type { Kysely } from 'kysely';

/** Creates the tables of operators' errata, and of the errata that TEDB has corrected, those of the program included. */
export async function createRateErrata(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rate_errata')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('field', 'text', (c) => c.notNull())
    .addColumn('first_day', 'text', (c) => c.notNull())
    .addColumn('last_day', 'text')
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('law', 'text', (c) => c.notNull())
    .addColumn('legal_basis', 'text', (c) => c.notNull())
    .addColumn('reference', 'text')
    .addColumn('added_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('rate_errata_fixed')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('version', 'text', (c) => c.notNull())
    .execute();
}
