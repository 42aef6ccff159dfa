import { type Kysely, sql } from 'kysely';

/** Adds the id of the SECRET_KEY that stored secrets are encrypted with, and the ids of each server's keys. */
export async function addSecretKeyInUse(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('secret_key_in_use')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('key_id', 'text')
    .execute();
  await sql`insert into secret_key_in_use (id) values ('current')`.execute(db);
  await db.schema.alterTable('replicas').addColumn('secret_keys', 'text').execute();
}
