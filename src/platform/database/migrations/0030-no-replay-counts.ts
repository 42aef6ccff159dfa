import type { Kysely } from 'kysely';

/** Drops the counts of requested deliveries: a key's rate limit and quota are what limits its tests and replays. */
export async function dropReplayCounts(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('webhook_replays').execute();
}
