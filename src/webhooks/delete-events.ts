import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Tx } from '../platform/database/database.ts';
import type { Tables } from '../platform/database/tables.ts';
import { deleteDeliveries } from './delete-deliveries.ts';

/**
 * Deletes the events about things that are deleted, by the ids of the things, with their deliveries and attempts
 * (rule K18), and returns their count. A delivery that has not succeeded yet is not made any more.
 *
 * Of the events about `later` things, those are deleted that have a copy of one of the things as `previous` (rule K11).
 *
 * The subscriptions are locked before their deliveries, and both in the order of their ids, as in every transaction.
 */
export async function deleteEvents(
  tx: Tx,
  subjects: readonly string[],
  later: readonly string[] = [],
): Promise<number> {
  const events = await tx
    .selectFrom('events')
    .select(['id', 'key_id'])
    .where((e) => e.or([e('subject', 'in', subjects), ...copiesOf(e, subjects, later)]))
    .execute();
  if (events.length === 0) return 0;
  const eventIds = events.map(({ id }) => id);
  const keyIds = new Set(events.flatMap(({ key_id }) => key_id ?? []));
  const subscriptions = await tx
    .selectFrom('webhook_subscriptions')
    .select('id')
    .where('key_id', 'in', [...keyIds])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  if (subscriptions.length > 0) {
    const deliveries = tx
      .selectFrom('webhook_deliveries')
      .where('event_id', 'in', eventIds)
      .where(
        'subscription_id',
        'in',
        subscriptions.map(({ id }) => id),
      );
    await deliveries.select('id').orderBy('id').forUpdate().execute();
    await deleteDeliveries(tx, deliveries);
  }
  await tx.deleteFrom('events').where('id', 'in', eventIds).execute();
  return events.length;
}

function copiesOf(
  e: ExpressionBuilder<Tables, 'events'>,
  subjects: readonly string[],
  later: readonly string[],
): readonly Expression<SqlBool>[] {
  if (later.length === 0) return [];
  const copies = subjects.map((id) => e('body', 'like', `%"previous":{"id":"${id}"%`));
  return [e.and([e('subject', 'in', later), e.or(copies)])];
}

/**
 * Deletes the public events of versions that an operator takes back, with their deliveries and attempts (contract C17a).
 * Receivers that got one have it. Readers of the event log pass over its position.
 */
export async function deletePublicEvents(tx: Tx, snapshotDates: readonly string[]): Promise<void> {
  await tx
    .selectFrom('webhook_subscriptions')
    .select('id')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const events = tx
    .selectFrom('events')
    .select('id')
    .where('snapshot_date', 'in', snapshotDates)
    .where('key_id', 'is', null);
  const deliveries = tx.selectFrom('webhook_deliveries').where('event_id', 'in', events);
  await deliveries.select('id').orderBy('id').forUpdate().execute();
  await deleteDeliveries(tx, deliveries);
  await tx.deleteFrom('events').where('id', 'in', events).execute();
}
