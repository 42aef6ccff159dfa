import type { Kysely } from 'kysely';

/**
 * Adds the newest question that the service has asked the registry for itself, and the refusals of a check's text (rule K21a).
 * A row of an earlier program has no question, and its check no refusal.
 */
export async function addOwnQuestions(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('registry_blocks').addColumn('asked_at', 'text').execute();
  await db.schema.alterTable('registry_blocks').addColumn('verdict', 'text').execute();
  await db.schema
    .alterTable('vat_checks')
    .addColumn('text_refusals', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
}
