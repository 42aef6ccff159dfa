import { type Kysely, sql } from 'kysely';

/**
 * Gives the indexes of the change log all columns of its order and of its filters, so that no query has to sort.
 *
 * The last index is for rows that were detected before their snapshot date, which happens if the clock is set
 * back.
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
