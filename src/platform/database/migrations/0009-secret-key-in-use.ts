import { type Kysely, sql } from 'kysely';

/** Which SECRET_KEY stored secrets are encrypted with, and which keys each server can open them with. */
export async function addSecretKeyInUse(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('secret_key_in_use')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('key_id', 'text')
    .execute();
  await sql`insert into secret_key_in_use (id) values ('current')`.execute(db);
  await db.schema.alterTable('replicas').addColumn('secret_keys', 'text').execute();
}
