import { type Kysely, sql } from 'kysely';

/**
 * The change log in the whole of its order, so that nothing is left to sort, with all that it is filtered by.
 *
 * The last index is for rows that were detected before their day began, which takes a clock that went back.
 */
export async function orderChangeLog(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('rate_changes_newest').execute();
  await db.schema.dropIndex('rate_changes_of_country').execute();
  await db.schema
    .createIndex('rate_changes_newest')
    .on('rate_changes')
    .columns(['detected_at desc', 'country', 'field', 'snapshot_date desc'])
    .execute();
  await db.schema
    .createIndex('rate_changes_of_country')
    .on('rate_changes')
    .columns(['country', 'detected_at desc', 'field', 'snapshot_date desc'])
    .execute();
  await db.schema
    .createIndex('rate_changes_early')
    .on('rate_changes')
    .columns(['detected_at', 'snapshot_date'])
    .where(sql.ref('detected_at'), '<', sql.ref('snapshot_date'))
    .execute();
}
