import type { Kysely } from 'kysely';

/**
 * Creates the table of exchange rates by currency and year, for answers that cover years.
 *
 * Its rows are made from `fx_snapshots`, which stays the source. A server adds missing years when it starts.
 */
export async function createFxColumns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fx_columns')
    .addColumn('year', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('cells', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('fx_columns_key', ['year', 'name'])
    .execute();
}
