import type { Db, Tx } from '../../platform/database/database.ts';
import { deliveryIdOf, insertPending, insertTest } from './store.ts';
import {
  countRequested,
  findRecentReplay,
  lockRequests,
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
    const id = await insertTest(tx, subscription.id, at);
    return id === undefined ? { kind: 'gone' } : { kind: 'done', value: id };
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
      (await findReplayed(tx, [id], at)) ??
      (await countRequested(tx, { keyId: subscription.keyId, count: 1, at }));
    if (refusal !== undefined) return { kind: 'limited', refusal };
    await makeDue(tx, [id], at);
    return { kind: 'done', value: undefined };
  });
}

/**
 * Delivers every event since an instant again, those from before the subscription included; the value is their
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
    const known = await findKnown(tx, [...ids.keys()]);
    const refusal =
      (await findReplayed(tx, known, at)) ??
      (await countRequested(tx, { keyId, count: events.length, at }));
    if (refusal !== undefined) return { kind: 'limited', refusal };

    await makeDue(tx, known, at);
    for (const id of known) ids.delete(id);
    const missing = [...ids].map(([id, eventId]) => ({ id, eventId, subscriptionId }));
    await insertPending(tx, missing, at);
    return { kind: 'done', value: events.length };
  });
}

/** Runs a request under the locks that it needs: first the key, then the subscription. */
async function request<T>(
  db: Db,
  { id, keyId }: Requester,
  work: (tx: Tx) => Promise<Requested<T>>,
): Promise<Requested<T>> {
  return db.transaction().execute(async (tx) => {
    await lockRequests(tx, keyId);
    return (await lockForDeliveries(tx, id)) ? work(tx) : { kind: 'gone' };
  });
}

/** The ones of these deliveries that exist. */
async function findKnown(tx: Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('id', 'in', ids)
    .execute();
  return rows.map(({ id }) => id);
}

/** The refusal of the delivery that was replayed last, if that was within the last minute. */
async function findReplayed(
  tx: Tx,
  ids: readonly string[],
  at: string,
): Promise<ReplayRefusal | undefined> {
  if (ids.length === 0) return undefined;
  const { replayedAt } = await tx
    .selectFrom('webhook_deliveries')
    .select((e) => e.fn.max('replayed_at').as('replayedAt'))
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow();
  return findRecentReplay(replayedAt, at);
}

async function makeDue(tx: Tx, ids: readonly string[], at: string): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('webhook_deliveries')
    .set({
      status: 'pending',
      due_at: at,
      replayed_at: at,
      attempts_made: 0,
      claim: null,
      claimed_until: null,
    })
    .where('id', 'in', ids)
    .execute();
}
