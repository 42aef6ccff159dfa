import type { Kysely } from 'kysely';

/** Adds the requester of a key, the VAT number on whose behalf its stored checks are made; null for none. */
export async function addKeyRequesters(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('requester', 'text').execute();
}
