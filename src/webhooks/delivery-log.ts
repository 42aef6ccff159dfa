import type { Db, Tx } from '../platform/database/database.ts';
import type { Attempt, Delivery, DeliveryStatus } from './delivery.ts';
import { deliveryIdOf, insertPending } from './delivery-store.ts';
import type { DeliveredType, EventType } from './event.ts';

/** Where a page of deliveries begins: after this one. */
export type DeliveryCursor = { readonly createdAt: string; readonly id: string };

export type DeliveryQuery = {
  readonly subscriptionId: string;
  readonly status: DeliveryStatus | undefined;
  readonly after: DeliveryCursor | undefined;
  readonly limit: number;
};

/** A page of a subscription's deliveries, the newest first, with every attempt (contract C27). */
export async function listDeliveries(
  db: Db,
  query: DeliveryQuery,
): Promise<{ readonly deliveries: Delivery[]; readonly next: DeliveryCursor | undefined }> {
  const { subscriptionId, status, after, limit } = query;
  let select = selectDeliveries(db).where('delivery.subscription_id', '=', subscriptionId);
  if (status !== undefined) select = select.where('delivery.status', '=', status);
  if (after !== undefined) {
    const { createdAt, id } = after;
    select = select.where((e) =>
      e.or([
        e('delivery.created_at', '<', createdAt),
        e.and([e('delivery.created_at', '=', createdAt), e('delivery.id', '<', id)]),
      ]),
    );
  }
  const rows = await select
    .orderBy('delivery.created_at', 'desc')
    .orderBy('delivery.id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    deliveries: await withAttempts(db, page),
    next: hasMore ? { createdAt: last.createdAt, id: last.id } : undefined,
  };
}

/** A delivery of a subscription; undefined when there is none. */
export async function findDelivery(
  db: Db,
  subscriptionId: string,
  id: string,
): Promise<Delivery | undefined> {
  const rows = await selectDeliveries(db)
    .where('delivery.subscription_id', '=', subscriptionId)
    .where('delivery.id', '=', id)
    .execute();
  return (await withAttempts(db, rows))[0];
}

/**
 * Makes a delivery due now, with the whole schedule before it; its attempts stay in the log. An attempt that
 * is under way decides nothing any more.
 */
export async function replayDelivery(tx: Tx, id: string, at: string): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', due_at: at, attempts_made: 0, claim: null, claimed_until: null })
    .where('id', '=', id)
    .execute();
}

/**
 * Delivers every event since an instant once more, also those from before the subscription. Gives how many.
 */
export async function replaySince(
  db: Db,
  subscription: { readonly id: string; readonly events: readonly EventType[] },
  since: string,
  at: string,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const events = await tx
      .selectFrom('events')
      .select('id')
      .where('type', 'in', subscription.events)
      .where('created_at', '>=', since)
      .execute();
    const ids = new Map(events.map(({ id }) => [deliveryIdOf(id, subscription.id), id]));
    const known = await tx
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('subscription_id', '=', subscription.id)
      .execute();
    for (const { id } of known) {
      if (!ids.delete(id)) continue;
      await replayDelivery(tx, id, at);
    }
    const missing = [...ids].map(([id, eventId]) => ({
      id,
      eventId,
      subscriptionId: subscription.id,
    }));
    await insertPending(tx, missing, at);
    return events.length;
  });
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

type Row = {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly status: DeliveryStatus;
  readonly dueAt: string | null;
};

async function withAttempts(db: Db, rows: readonly Row[]): Promise<Delivery[]> {
  if (rows.length === 0) return [];
  const attempts = new Map<string, Attempt[]>(rows.map(({ id }) => [id, []]));
  for (const row of await db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('delivery_id', 'in', [...attempts.keys()])
    .orderBy('at')
    .orderBy('id')
    .execute()) {
    attempts.get(row.delivery_id)?.push({
      at: row.at,
      statusCode: row.status_code,
      durationMs: row.duration_ms,
      error: row.error,
    });
  }
  return rows.map(({ id, eventId, type, status, dueAt }) => ({
    id,
    eventId,
    type: type as DeliveredType,
    status,
    nextAttemptAt: dueAt,
    attempts: attempts.get(id) ?? [],
  }));
}
