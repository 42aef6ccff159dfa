import { sql, type SqlBool } from 'kysely';
import { bytesOf, readPage, sizedList } from '../../platform/database/bounded-page.ts';
import type { Db } from '../../platform/database/database.ts';
import { hasValue } from '../../platform/database/rows-with-value.ts';
import type { Attempt, Delivery, DeliveryStatus } from './delivery.ts';

/** The delivery after which a page begins. */
export type DeliveryCursor = { readonly createdAt: string; readonly id: string };

export type DeliveryQuery = {
  readonly subscriptionId: string;
  readonly status: DeliveryStatus | undefined;
  readonly after: DeliveryCursor | undefined;
  readonly limit: number;
};

/** The size of a delivery with its attempts, each of which is read with the columns of the delivery. */
const deliveryBytes = sql<number | string>`300 + (
  select coalesce(sum(${bytesOf(['attempt.error', 'attempt.answer', 'attempt.location'], 300)}), 0)
  from webhook_attempts as attempt where attempt.delivery_id = delivery.id)`;

/** Reads a page of a subscription's deliveries, newest first, with their attempts (contract C27). */
export async function listDeliveries(
  db: Db,
  query: DeliveryQuery,
): Promise<{ readonly deliveries: Delivery[]; readonly next: DeliveryCursor | undefined }> {
  const { subscriptionId, status, after, limit } = query;
  let list = selectDeliveries(db)
    .where(hasValue(db, 'delivery.subscription_id', subscriptionId))
    .orderBy('delivery.subscription_id');
  if (status !== undefined) {
    list = list.where(hasValue(db, 'delivery.status', status)).orderBy('delivery.status');
  }
  if (after !== undefined) {
    list = list.where(
      sql<SqlBool>`(delivery.created_at, delivery.id) < (${after.createdAt}, ${after.id})`,
    );
  }
  list = list.orderBy('delivery.created_at', 'desc').orderBy('delivery.id', 'desc');
  const { listKeys } = sizedList(list, deliveryBytes);
  const listRows = async (count: number) => readWithAttempts(db, list.limit(count));
  const { page, last } = await readPage({ listKeys, listRows }, limit);
  return {
    deliveries: page.map(({ delivery }) => delivery),
    next: last === undefined ? undefined : { createdAt: last.createdAt, id: last.delivery.id },
  };
}

/** Finds a delivery of a subscription. */
export async function findDelivery(
  db: Db,
  subscriptionId: string,
  id: string,
): Promise<Delivery | undefined> {
  const one = selectDeliveries(db)
    .where('delivery.subscription_id', '=', subscriptionId)
    .where('delivery.id', '=', id);
  return (await readWithAttempts(db, one))[0]?.delivery;
}

function selectDeliveries(db: Db) {
  return db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('events as event', 'event.id', 'delivery.event_id')
    .select([
      'delivery.id',
      'delivery.event_id as eventId',
      'event.type',
      'delivery.status',
      'delivery.due_at as dueAt',
      'delivery.created_at as createdAt',
    ]);
}

type Found = {
  readonly createdAt: string;
  readonly delivery: Delivery & { readonly attempts: Attempt[] };
};

/** Reads deliveries and their attempts in one statement, so that both are of the same moment. */
async function readWithAttempts(
  db: Db,
  deliveries: ReturnType<typeof selectDeliveries>,
): Promise<Found[]> {
  const rows = await db
    .selectFrom(deliveries.as('delivery'))
    .leftJoin('webhook_attempts as attempt', 'attempt.delivery_id', 'delivery.id')
    .selectAll('delivery')
    .select(['attempt.at', 'attempt.status_code', 'attempt.duration_ms', 'attempt.error'])
    .select(['attempt.answer', 'attempt.location'])
    .orderBy('delivery.createdAt', 'desc')
    .orderBy('delivery.id', 'desc')
    .orderBy('attempt.at')
    .orderBy('attempt.id')
    .execute();
  const found = new Map<string, Found>();
  for (const row of rows) {
    const { id, eventId, type, status, createdAt, at, duration_ms: durationMs } = row;
    const fields = { id, eventId, type, status, nextAttemptAt: row.dueAt ?? undefined };
    const { delivery } = found.getOrInsert(id, {
      createdAt,
      delivery: { ...fields, attempts: [] },
    });
    if (at === null || durationMs === null) continue;
    delivery.attempts.push({
      at,
      statusCode: row.status_code ?? undefined,
      durationMs,
      error: row.error ?? undefined,
      answer: row.answer ?? undefined,
      location: row.location ?? undefined,
    });
  }
  return [...found.values()];
}
