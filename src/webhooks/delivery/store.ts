import { randomBytes } from 'node:crypto';
import type { UpdateObject } from 'kysely';
import { claimColumns, createClaim, isClaimable } from '../../platform/database/claims.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Backlog } from '../../platform/ops/status.ts';
import { formatInstant } from '../../platform/time/time.ts';
import type { ClaimedDelivery } from './delivery.ts';
import type { StoredEvent } from '../../events/event-types.ts';
import { deliveryIdOf } from '../../events/outbox.ts';
import { headersOf } from '../subscriptions/header-store.ts';
import type { Subscription } from '../subscriptions/subscription.ts';

/** Finds an event by its id. */
export async function findEvent(db: Db, id: string): Promise<StoredEvent | undefined> {
  const row = await db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return undefined;
  const { type, created_at: at, snapshot_date: snapshotDate, body } = row;
  return { id, type, at, snapshotDate: snapshotDate ?? undefined, body: body ?? undefined };
}

/** Writes a `webhook.test` event for one subscription with its delivery, due now; returns the delivery's id. */
export async function insertTest(
  tx: Tx,
  subscription: Pick<Subscription, 'id' | 'keyId'>,
  at: string,
): Promise<string> {
  const eventId = `evt_${randomBytes(12).toString('hex')}`;
  const id = deliveryIdOf(eventId, subscription.id);
  const event = { type: 'webhook.test', snapshot_date: null, key_id: subscription.keyId };
  await tx
    .insertInto('events')
    .values({ id: eventId, ...event, created_at: at })
    .execute();
  const pending = { status: 'pending', created_at: at, due_at: at, attempts_made: 0 } as const;
  await tx
    .insertInto('webhook_deliveries')
    .values({ id, event_id: eventId, subscription_id: subscription.id, ...pending })
    .execute();
  return id;
}

/** Whether any delivery can be claimed. It only reads; claiming takes the write lock. */
export async function hasDue(db: Db, at: string): Promise<boolean> {
  const row = await selectDue(db, at).select('delivery.id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Deliveries that may be attempted: due, without a claim, of an enabled subscription whose key has not ended. */
function selectDue(db: Db, at: string) {
  return selectWithSubscription(db)
    .innerJoin('api_keys as key', 'key.id', 'subscription.key_id')
    .where(isClaimable('delivery', at))
    .where('subscription.status', '=', 'enabled')
    .where('key.revoked_at', 'is', null)
    .where((e) => e.or([e('key.expires_at', 'is', null), e('key.expires_at', '>', at)]));
}

/** Deliveries (`delivery`), each with its subscription (`subscription`). */
export function selectWithSubscription(db: Db) {
  return db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin(
      'webhook_subscriptions as subscription',
      'subscription.id',
      'delivery.subscription_id',
    );
}

/** Limits of one claim. */
export type ClaimRequest = {
  readonly at: string;
  readonly until: string;
  /** Subscriptions that have no free place. */
  readonly busy: readonly string[];
  /** Keys that have no free place. */
  readonly busyKeys: readonly string[];
  /** Free places of a subscription. */
  readonly roomOf: (subscriptionId: string) => number;
  /** Free places of a key's subscriptions together. */
  readonly roomOfKey: (keyId: string) => number;
  /** Claims only subscriptions whose last attempt failed, or only the others. */
  readonly failing: boolean;
  readonly max: number;
};

/** Claims due deliveries, the longest due first. If a process crashes, its claims expire and others claim them. */
export async function claimDue(db: Db, wanted: ClaimRequest): Promise<ClaimedDelivery[]> {
  const { at, until, busy, busyKeys, failing, max } = wanted;
  const claim = createClaim(until);
  return db.transaction().execute(async (tx) => {
    let due = selectDue(tx, at)
      .select([
        'delivery.id',
        'delivery.subscription_id as subscriptionId',
        'delivery.event_id as eventId',
        'delivery.attempts_made as attemptsMade',
        'subscription.url',
        'subscription.key_id as keyId',
        headersOf('sealed').as('sealedHeaders'),
      ])
      .where('subscription.failing', '=', failing ? 1 : 0)
      .orderBy('delivery.due_at')
      .orderBy('delivery.id')
      .limit(max)
      // Rows that another process is claiming are skipped.
      .forUpdate('delivery')
      .skipLocked();
    if (busy.length > 0) due = due.where('delivery.subscription_id', 'not in', busy);
    if (busyKeys.length > 0) due = due.where('subscription.key_id', 'not in', busyKeys);
    const rows = await due.execute();
    const claimed = withinRoom(rows, wanted).map((row) => ({ ...row, claim: claim.id }));
    await updateDeliveries(tx, claimed, claimColumns(claim));
    return claimed;
  });
}

function withinRoom<T extends { readonly subscriptionId: string; readonly keyId: string }>(
  rows: readonly T[],
  { roomOf, roomOfKey }: Pick<ClaimRequest, 'roomOf' | 'roomOfKey'>,
): T[] {
  const taken = new Map<string, number>();
  return rows.filter(({ subscriptionId, keyId }) => {
    const ofSubscription = (taken.get(subscriptionId) ?? 0) + 1;
    const ofKey = (taken.get(keyId) ?? 0) + 1;
    if (ofSubscription > roomOf(subscriptionId) || ofKey > roomOfKey(keyId)) return false;
    taken.set(subscriptionId, ofSubscription);
    taken.set(keyId, ofKey);
    return true;
  });
}

/** Counts pending deliveries and subscriptions, and measures how long the oldest due delivery has waited. */
export async function readBacklog(db: Db, nowMs: number): Promise<Backlog> {
  const now = formatInstant(nowMs);
  // Deliveries of disabled subscriptions wait for their caller, not for the dispatcher.
  const { pending, oldestDueAt } = await selectWithSubscription(db)
    .select((e) => [
      e.fn.countAll<number | string>().as('pending'),
      e.fn.min('delivery.due_at').as('oldestDueAt'),
    ])
    .where('delivery.due_at', 'is not', null)
    .where('subscription.status', '=', 'enabled')
    .executeTakeFirstOrThrow();
  const counts = await db
    .selectFrom('webhook_subscriptions')
    .select((e) => ['status', e.fn.countAll<number | string>().as('count')])
    .groupBy('status')
    .execute();
  const countOf = (wanted: string): number =>
    Number(counts.find(({ status }) => status === wanted)?.count ?? 0);
  const isDue = oldestDueAt !== null && oldestDueAt <= now;
  return {
    pending: Number(pending),
    oldestDueSeconds: isDue ? Math.trunc((nowMs - Date.parse(oldestDueAt)) / 1_000) : null,
    subscriptions: { enabled: countOf('enabled'), disabled: countOf('disabled') },
  };
}

/** Changes the same columns of each of these deliveries. */
export async function updateDeliveries(
  tx: Tx,
  deliveries: readonly { readonly id: string }[],
  set: UpdateObject<Tables, 'webhook_deliveries'>,
): Promise<void> {
  if (deliveries.length === 0) return;
  const ids = deliveries.map(({ id }) => id);
  await tx.updateTable('webhook_deliveries').set(set).where('id', 'in', ids).execute();
}
