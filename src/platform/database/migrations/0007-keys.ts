import type { Kysely } from 'kysely';

/**
 * Adds scopes of keys, and ids of changed keys beside the revision, so that processes read only these again.
 *
 * Existing keys get every scope, and so do keys that an older program makes during an upgrade.
 */
export async function addKeyScopesAndChanges(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('api_keys')
    .addColumn('scopes', 'text', (c) => c.notNull().defaultTo('read checks webhooks'))
    .execute();
  await db.schema.alterTable('revisions').addColumn('subjects', 'text').execute();
}
