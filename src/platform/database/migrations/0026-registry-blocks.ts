import type { Kysely } from 'kysely';

/** Creates the tables of the block by VIES, and of the calls to it by day (rule K21). */
export async function createRegistryBlocks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('registry_blocks')
    .addColumn('registry', 'text', (c) => c.primaryKey())
    .addColumn('blocked_until', 'text')
    .addColumn('openings', 'integer', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('registry_calls')
    .addColumn('day', 'text', (c) => c.primaryKey())
    .addColumn('background', 'integer', (c) => c.notNull())
    .addColumn('callers', 'integer', (c) => c.notNull())
    .addColumn('prolonged_to', 'text', (c) => c.notNull())
    .execute();
}
