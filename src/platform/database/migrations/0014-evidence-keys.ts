import { type Kysely, sql } from 'kysely';

/** Creates the table of the keys that sign evidence of VAT checks. At most one of them has not ended. */
export async function createEvidenceKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('evidence_keys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('ended_at', 'text')
    .execute();
  await sql`create unique index evidence_keys_current on evidence_keys ((ended_at is null))
    where ended_at is null`.execute(db);
}
