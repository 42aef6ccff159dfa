import type { Kysely } from 'kysely';

/** Creates the table of processes that serve, so that each can count them. */
export async function createReplicas(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('replicas')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('pid', 'integer', (c) => c.notNull())
    .addColumn('started_at', 'text', (c) => c.notNull())
    .addColumn('seen_until', 'text', (c) => c.notNull())
    .execute();
}
