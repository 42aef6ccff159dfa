import type { Kysely } from 'kysely';

/** Adds the author of a change and the reason to the audit; rows of earlier versions have neither. */
export async function addAuditActors(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('audit').addColumn('actor', 'text').execute();
  await db.schema.alterTable('audit').addColumn('reason', 'text').execute();
}
