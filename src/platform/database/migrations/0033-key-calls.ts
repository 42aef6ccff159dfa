import type { Kysely } from 'kysely';

/**
 * Creates the table of calls to the registry by day and key, and adds the number of calls in a day that callers of a key may
 * wait for (rule K21b). Calls that a replica of version 0.3 makes are counted in the sum of the day alone.
 */
export async function createKeyCalls(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('registry_key_calls')
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('background', 'integer', (c) => c.notNull())
    .addColumn('callers', 'integer', (c) => c.notNull())
    .addColumn('prolonged_to', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('registry_key_calls_pk', ['day', 'key_id'])
    .execute();
  await db.schema.alterTable('api_keys').addColumn('calls_per_day', 'text').execute();
}
