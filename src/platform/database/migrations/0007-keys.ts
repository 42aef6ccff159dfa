import type { Kysely } from 'kysely';

/** The ids of the keys that changed, beside the revision, so that processes read only these again. */
export async function addKeyChanges(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('revisions').addColumn('subjects', 'text').execute();
}
