import { unclaimed } from '../../platform/database/claims.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { markCommit } from '../../platform/database/marks.ts';
import { lockForDeliveries } from '../subscriptions/lock.ts';
import { insertTest, updateDeliveries } from './store.ts';

const minuteMs = 60_000;

/** Outcome of a request for a delivery (contract C27). Nothing is sent unless it is `done`. */
export type Requested =
  | { readonly kind: 'done'; readonly deliveryId: string }
  /** The delivery was replayed within the last minute; `retryAfterSeconds` is at least 1. */
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }
  /** The subscription does not exist any more. */
  | { readonly kind: 'gone' };

/** Sends a `webhook.test` event to a subscription. */
export async function requestTest(
  db: Db,
  subscription: { readonly id: string; readonly keyId: string },
  at: string,
): Promise<Requested> {
  return withSubscription(db, subscription.id, async (tx) => {
    return { kind: 'done', deliveryId: await insertTest(tx, subscription, at) };
  });
}

/**
 * Makes a delivery due now, at the beginning of the schedule; once a minute at most. Its attempts stay in the log.
 * The result of an attempt that is under way is no longer applied.
 */
export async function replayDelivery(
  db: Db,
  { subscription, id }: { readonly subscription: { readonly id: string }; readonly id: string },
  at: string,
): Promise<Requested> {
  return withSubscription(db, subscription.id, async (tx) => {
    const waitMs = await waitOf(tx, id, at);
    if (waitMs > 0) return { kind: 'limited', retryAfterSeconds: Math.ceil(waitMs / 1_000) };
    await updateDeliveries(tx, [{ id }], {
      status: 'pending',
      due_at: at,
      replayed_at: at,
      attempts_made: 0,
      ...unclaimed,
    });
    return { kind: 'done', deliveryId: id };
  });
}

/** Milliseconds until a delivery may be replayed; a minute at most, even if the clock was set back. */
async function waitOf(tx: Tx, id: string, at: string): Promise<number> {
  const delivery = await tx
    .selectFrom('webhook_deliveries')
    .select('replayed_at')
    .where('id', '=', id)
    .executeTakeFirst();
  const replayedAt = delivery?.replayed_at ?? undefined;
  if (replayedAt === undefined) return 0;
  return Math.min(Date.parse(replayedAt) + minuteMs - Date.parse(at), minuteMs);
}

/** Runs one request for a delivery of a subscription at a time. */
async function withSubscription(
  db: Db,
  id: string,
  work: (tx: Tx) => Promise<Requested>,
): Promise<Requested> {
  return db.transaction().execute(async (tx) => {
    await markCommit(tx);
    return (await lockForDeliveries(tx, id)) ? work(tx) : { kind: 'gone' };
  });
}
