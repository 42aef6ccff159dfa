import type { Kysely } from 'kysely';

/**
 * Adds the body of events that cannot be made again from other rows, and the id of the thing that such an event is
 * about. Events of a key are found by their key, and deleted by their subject.
 */
export async function addEventBodies(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('events').addColumn('subject', 'text').execute();
  await db.schema.alterTable('events').addColumn('body', 'text').execute();
  await db.schema.createIndex('events_of_subject').on('events').columns(['subject']).execute();
  await db.schema
    .createIndex('events_of_key')
    .on('events')
    .columns(['key_id', 'type', 'created_at'])
    .execute();
}
