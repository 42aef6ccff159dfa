import type { Kysely } from 'kysely';

/** Adds the maximum age of an answer that a pending check may reuse (rule K8); 0 for checks that are stored already. */
export async function addMaximumAges(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('vat_checks')
    .addColumn('max_age_seconds', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
}
