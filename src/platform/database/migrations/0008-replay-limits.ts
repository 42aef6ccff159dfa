import { type Kysely, sql } from 'kysely';

/** Maximum of attempts that are kept of a delivery. */
const attemptsMax = 20;

/**
 * Adds counts of the deliveries that callers request and the last replay of each delivery, and deletes all but
 * the 20 newest attempts of each.
 */
export async function limitReplays(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_replays')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('deliveries', 'integer', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('webhook_replays_of_key')
    .on('webhook_replays')
    .columns(['key_id', 'at'])
    .execute();
  await db.schema
    .createIndex('webhook_replays_oldest')
    .on('webhook_replays')
    .columns(['at'])
    .execute();
  await db.schema.alterTable('webhook_deliveries').addColumn('replayed_at', 'text').execute();
  await sql`delete from webhook_attempts where id in (
    select id from (
      select id, row_number() over (partition by delivery_id order by at desc, id desc) as place
      from webhook_attempts
    ) as placed where place > ${attemptsMax}
  )`.execute(db);
}
