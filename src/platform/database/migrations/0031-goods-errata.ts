import type { Kysely } from 'kysely';

/**
 * Creates the table of operators' errata of goods. They are not in `rate_errata`, because the release before reads all
 * rows of that table as errata of national rates.
 */
export async function createGoodsErrata(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('goods_errata')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('category', 'text', (c) => c.notNull())
    .addColumn('code_kind', 'text', (c) => c.notNull())
    .addColumn('codes', 'text', (c) => c.notNull())
    .addColumn('first_day', 'text', (c) => c.notNull())
    .addColumn('last_day', 'text')
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('law', 'text', (c) => c.notNull())
    .addColumn('condition', 'text')
    .addColumn('legal_basis', 'text', (c) => c.notNull())
    .addColumn('reference', 'text')
    .addColumn('added_at', 'text', (c) => c.notNull())
    .execute();
}
