import type { Kysely } from 'kysely';

/**
 * The exchange rates by currency, for answers about years of them.
 *
 * Made from `fx_snapshots`, which stays the source: a server fills years that are missing when it starts.
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
