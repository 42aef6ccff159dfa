import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Tx } from '../platform/database/database.ts';
import { eachPortion } from '../platform/database/portions.ts';
import { stableId } from '../platform/values/digest.ts';
import { countWithdrawals } from '../platform/publication/withdrawal-store.ts';
import { type EventType, eventTypes } from './event-types.ts';

/**
 * An event to be announced. Its id is made from its type and its snapshot date or subject; if versions of that date were
 * taken back before, also from their count, because receivers ignore an id that they know.
 */
export type Announcement = { readonly type: EventType; readonly at: string } & (
  | { readonly snapshotDate: string; readonly keyId?: undefined }
  | {
      /** The only key that receives it. */
      readonly keyId: string;
      /** The id of the thing that the event is about. The event is deleted with it. */
      readonly subject: string;
      /** Part of the id, if several events of this type may be about the thing. */
      readonly occasion?: string;
      /** The fields of the body after `type` and `timestamp`, in their order. */
      readonly fields: Readonly<Record<string, unknown>>;
    }
);

/** Events that are written in one turn of the event loop. */
const portionEvents = 50;

/**
 * Writes an event into the outbox, with a delivery for each subscription that receives it (contract C31).
 *
 * Called in the transaction that writes the event's data, so that both are stored or neither. Announcing the same
 * event twice fails, because the id is the same (contract C28). The body of a key's event is stored, because the thing
 * that it is about may change or be deleted.
 */
export async function announce(tx: Tx, event: Announcement): Promise<void> {
  await announceAll(tx, [event]);
}

/** As `announce`, for many events in their order; they are of one type, and of one key or public. */
export async function announceAll(tx: Tx, events: readonly Announcement[]): Promise<void> {
  await eachPortion(events, portionEvents, async (portion) => announcePortion(tx, portion));
}

async function announcePortion(tx: Tx, events: readonly Announcement[]): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const { type, keyId } = first;
  const scope = keyId === undefined ? 'public' : 'key';
  assert.equal(eventTypes[type].scope, scope, `${type} is not an event of scope ${scope}`);
  assert(
    events.every((event) => event.type === type && event.keyId === keyId),
    'events of several types or keys',
  );
  const rows: Awaited<ReturnType<typeof toRow>>[] = [];
  for (const event of events) rows.push(await toRow(tx, event));
  await tx.insertInto('events').values(rows).execute();
  const ids = rows.map(({ id }) => id);
  let subscribed = tx
    .selectFrom('webhook_subscriptions as subscription')
    .innerJoin('api_keys as key', 'key.id', 'subscription.key_id')
    .innerJoin('events as event', (join) => join.on('event.id', 'in', ids))
    .where('subscription.status', '=', 'enabled')
    .where('subscription.events', 'like', `%"${type}"%`)
    .where('key.revoked_at', 'is', null)
    .where((e) =>
      e.or([e('key.expires_at', 'is', null), e('key.expires_at', '>', e.ref('event.created_at'))]),
    );
  if (keyId !== undefined) subscribed = subscribed.where('subscription.key_id', '=', keyId);
  await tx
    .insertInto('webhook_deliveries')
    .columns([
      'id',
      'subscription_id',
      'event_id',
      'status',
      'created_at',
      'due_at',
      'attempts_made',
    ])
    .expression(
      subscribed
        .select((e) => [
          deliveryId.as('id'),
          'subscription.id as subscription_id',
          'event.id as event_id',
          e.val('pending' as const).as('status'),
          'event.created_at as created_at',
          'event.created_at as due_at',
          e.val(0).as('attempts_made'),
        ])
        // A subscription that is being removed gets no delivery, because nothing would ever delete it. The order is
        // that of every transaction that locks several subscriptions, so that no two of them deadlock.
        .orderBy('subscription.id')
        .forKeyShare('subscription'),
    )
    .execute();
}

async function toRow(tx: Tx, event: Announcement) {
  const { type, at, keyId } = event;
  const id = stableId('evt', type, ...(await listIdParts(tx, event)));
  const own =
    keyId === undefined ? { snapshot_date: event.snapshotDate } : columnsOfKeyEvent(event);
  return { id, type, created_at: at, ...own };
}

async function listIdParts(tx: Tx, event: Announcement): Promise<readonly string[]> {
  if (event.keyId !== undefined)
    return [event.subject, ...(event.occasion === undefined ? [] : [event.occasion])];
  const withdrawals = await countWithdrawals(tx, 'rates', event.snapshotDate);
  return [event.snapshotDate, ...(withdrawals === 0 ? [] : [String(withdrawals)])];
}

function columnsOfKeyEvent(event: Extract<Announcement, { readonly keyId: string }>) {
  const { type, at: timestamp, keyId, subject, fields } = event;
  const body = JSON.stringify({ type, timestamp, ...fields });
  return { snapshot_date: null, key_id: keyId, subject, body };
}

/** The id of the delivery of an event to a subscription: an event has one for each. */
export function deliveryIdOf(eventId: string, subscriptionId: string): string {
  return `dlv_${eventId.slice(4)}${subscriptionId.slice(4)}`;
}

/** The same id, made by the statement. */
const deliveryId = sql<string>`'dlv_' || substr(event.id, 5) || substr(subscription.id, 5)`;
