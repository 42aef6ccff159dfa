import { type Kysely, sql } from 'kysely';

/**
 * Adds the indexes of lists by status: deliveries of a subscription, and for the operator checks of all keys. Most checks
 * are answered, so the index has the others: it stays small.
 */
export async function addListIndexes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('webhook_deliveries_of_status')
    .ifNotExists()
    .on('webhook_deliveries')
    .columns(['subscription_id', 'status', 'created_at desc', 'id desc'])
    .execute();
  await db.schema
    .createIndex('vat_checks_not_answered')
    .ifNotExists()
    .on('vat_checks')
    .columns(['status', 'id'])
    .where(sql.ref('status'), '<>', sql.lit('answered'))
    .execute();
}
