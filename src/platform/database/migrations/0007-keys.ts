import type { Kysely } from 'kysely';

/**
 * Scopes of keys, and the ids of the keys that changed beside the revision, so that processes read only these
 * again.
 *
 * Keys that exist already get every scope, as do those that an older program still makes during an upgrade.
 */
export async function addKeyScopesAndChanges(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('api_keys')
    .addColumn('scopes', 'text', (c) => c.notNull().defaultTo('read checks webhooks'))
    .execute();
  await db.schema.alterTable('revisions').addColumn('subjects', 'text').execute();
}
