import type { Kysely } from 'kysely';

/**
 * Adds what registries other than VIES need (rules M6 to M11): the days of a registration, the requesters of a key for
 * further countries, the head of a response and the control question as evidence, the calls of a registry by day, and the
 * numbers for control questions.
 *
 * Replicas of version 0.3 know none of it. They attempt no check of another registry, because its `registry_code` is none of
 * VIES.
 */
export async function addRegistries(db: Kysely<unknown>): Promise<void> {
  const add = async (table: string, ...columns: readonly string[]) => {
    for (const column of columns) {
      await db.schema.alterTable(table).addColumn(column, 'text').execute();
    }
  };
  await add('vat_checks', 'valid_from', 'valid_to');
  await add('api_keys', 'further_requesters');
  await add('vat_check_exchanges', 'head', 'control');
  await add('vat_registries', 'calls_of_day');
  await db.schema
    .createTable('registry_controls')
    .addColumn('registry', 'text', (c) => c.notNull())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('number', 'text', (c) => c.notNull())
    .addColumn('answered_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('registry_controls_pk', ['registry', 'key_id', 'number'])
    .execute();
}
