import type { SelectQueryBuilder } from 'kysely';
import type { Tx } from '../platform/database/database.ts';
import type { Tables } from '../platform/database/tables.ts';

/** Deletes the deliveries that a query selects, with their attempts and tests. A test belongs to one delivery. */
export async function deleteDeliveries(
  tx: Tx,
  chosen: SelectQueryBuilder<Tables, 'webhook_deliveries', object>,
): Promise<void> {
  const ids = chosen.select('id');
  await tx.deleteFrom('webhook_attempts').where('delivery_id', 'in', ids).execute();
  await tx
    .deleteFrom('events')
    .where('type', '=', 'webhook.test')
    .where('id', 'in', chosen.select('event_id'))
    .execute();
  await tx.deleteFrom('webhook_deliveries').where('id', 'in', ids).execute();
}
