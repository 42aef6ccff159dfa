import type { Kysely } from 'kysely';

/** Adds the reason of a failed run as a code; null for a run that did not fail, and for runs before this migration. */
export async function addRunFailures(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('runs').addColumn('failure', 'text').execute();
}
