import { type Kysely, sql } from 'kysely';

/** Attempts of a delivery that are kept. */
const attemptsMax = 20;

/**
 * Counts of the deliveries that keys ask for, the last replay of each delivery, and no more than 20 attempts
 * of one.
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
