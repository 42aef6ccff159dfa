import { unclaimed } from '../../platform/database/claims.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { deliveryIdOf } from '../../events/outbox.ts';
import { insertPending, insertTest, updateDeliveries } from './store.ts';
import {
  countRequested,
  findRecentReplay,
  type ReplayRefusal,
  requestedPerHourMax,
} from './replay-limits.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { lockForDeliveries } from '../subscriptions/lock.ts';

/** Outcome of a request for deliveries (contract C27). Nothing is sent unless it is `done`. */
export type Requested<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'limited'; readonly refusal: ReplayRefusal }
  /** One request for more deliveries than a key may have in an hour. */
  | { readonly kind: 'tooMany' }
  /** The subscription does not exist any more. */
  | { readonly kind: 'gone' };

type Requester = Pick<Subscription, 'id' | 'keyId'>;

/** Sends a `webhook.test` event to a subscription; the value is the id of its delivery. */
export async function requestTest(
  db: Db,
  subscription: Requester,
  at: string,
): Promise<Requested<string>> {
  return request(db, subscription, async (tx) => {
    const refusal = await countRequested(tx, { keyId: subscription.keyId, count: 1, at });
    if (refusal !== undefined) return { kind: 'limited', refusal };
    return { kind: 'done', value: await insertTest(tx, subscription, at) };
  });
}

/**
 * Makes a delivery due now, at the beginning of the schedule; once a minute at most. Its attempts stay in the log.
 * The result of an attempt that is under way is no longer applied.
 */
export async function replayDelivery(
  db: Db,
  { subscription, id }: { readonly subscription: Requester; readonly id: string },
  at: string,
): Promise<Requested<undefined>> {
  return request(db, subscription, async (tx) => {
    const refusal =
      (await findRecentReplay(tx, [{ id }], at)) ??
      (await countRequested(tx, { keyId: subscription.keyId, count: 1, at }));
    if (refusal !== undefined) return { kind: 'limited', refusal };
    await updateDeliveries(tx, [{ id }], replayedAt(at));
    return { kind: 'done', value: undefined };
  });
}

/**
 * Delivers every event since an instant again, including those from before the subscription; the value is their
 * number. A request that exceeds a limit sends nothing.
 */
export async function replaySince(
  db: Db,
  subscription: Requester & Pick<Subscription, 'events'>,
  { since, at }: { readonly since: string; readonly at: string },
): Promise<Requested<number>> {
  const { id: subscriptionId, keyId } = subscription;
  return request(db, subscription, async (tx) => {
    const events = await tx
      .selectFrom('events')
      .select('id')
      .where('type', 'in', subscription.events)
      .where((e) => e.or([e('key_id', 'is', null), e('key_id', '=', keyId)]))
      .where('created_at', '>=', since)
      .limit(requestedPerHourMax + 1)
      .execute();
    if (events.length > requestedPerHourMax) return { kind: 'tooMany' };
    const ids = new Map(events.map(({ id }) => [deliveryIdOf(id, subscriptionId), id]));
    const existing = tx.selectFrom('webhook_deliveries').select('id');
    const known = ids.size === 0 ? [] : await existing.where('id', 'in', [...ids.keys()]).execute();
    const refusal =
      (await findRecentReplay(tx, known, at)) ??
      (await countRequested(tx, { keyId, count: events.length, at }));
    if (refusal !== undefined) return { kind: 'limited', refusal };

    await updateDeliveries(tx, known, replayedAt(at));
    for (const { id } of known) ids.delete(id);
    const missing = [...ids].map(([id, eventId]) => ({ id, eventId, subscriptionId }));
    await insertPending(tx, missing, at);
    return { kind: 'done', value: events.length };
  });
}

/** Runs one request of a key at a time. The key is locked before the subscription, as in every transaction. */
async function request<T>(
  db: Db,
  { id, keyId }: Requester,
  work: (tx: Tx) => Promise<Requested<T>>,
): Promise<Requested<T>> {
  return db.transaction().execute(async (tx) => {
    await tx.selectFrom('api_keys').select('id').where('id', '=', keyId).forNoKeyUpdate().execute();
    return (await lockForDeliveries(tx, id)) ? work(tx) : { kind: 'gone' };
  });
}

/** The columns of a delivery that is replayed now, at the beginning of the schedule. */
function replayedAt(at: string) {
  return {
    status: 'pending',
    due_at: at,
    replayed_at: at,
    attempts_made: 0,
    ...unclaimed,
  } as const;
}
