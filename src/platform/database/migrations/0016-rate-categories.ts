import type { Kysely } from 'kysely';

/** Creates the tables of the rates by goods category: the rows of a country by content, and the sets of a snapshot. */
export async function createRateCategories(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rate_category_sets')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('rows', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('rate_categories')
    .addColumn('version', 'text', (c) => c.primaryKey())
    .addColumn('sets', 'text', (c) => c.notNull())
    .addColumn('compared_with', 'text')
    .execute();
}
