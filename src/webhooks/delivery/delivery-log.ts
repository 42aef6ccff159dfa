import type { Db } from '../../platform/database/database.ts';
import { cutPage } from '../../platform/page-limit.ts';
import type { Attempt, Delivery, DeliveryStatus } from './delivery.ts';

/** The delivery after which a page begins. */
export type DeliveryCursor = { readonly createdAt: string; readonly id: string };

export type DeliveryQuery = {
  readonly subscriptionId: string;
  readonly status: DeliveryStatus | undefined;
  readonly after: DeliveryCursor | undefined;
  readonly limit: number;
};

/** Reads a page of a subscription's deliveries, newest first, with their attempts (contract C27). */
export async function listDeliveries(
  db: Db,
  query: DeliveryQuery,
): Promise<{ readonly deliveries: Delivery[]; readonly next: DeliveryCursor | undefined }> {
  const { subscriptionId, status, after, limit } = query;
  let page = selectDeliveries(db).where('delivery.subscription_id', '=', subscriptionId);
  if (status !== undefined) page = page.where('delivery.status', '=', status);
  if (after !== undefined) {
    const { createdAt, id } = after;
    page = page.where((e) =>
      e.or([
        e('delivery.created_at', '<', createdAt),
        e.and([e('delivery.created_at', '=', createdAt), e('delivery.id', '<', id)]),
      ]),
    );
  }
  page = page
    .orderBy('delivery.created_at', 'desc')
    .orderBy('delivery.id', 'desc')
    .limit(limit + 1);
  const found = cutPage(await readWithAttempts(db, page), limit);
  const { last } = found;
  return {
    deliveries: found.page.map(({ delivery }) => delivery),
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
    const [statusCode, error] = [row.status_code ?? undefined, row.error ?? undefined];
    delivery.attempts.push({ at, statusCode, durationMs, error });
  }
  return [...found.values()];
}
