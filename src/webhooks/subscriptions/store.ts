import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { deleteDeliveries } from '../delete-deliveries.ts';
import type { EventType } from '../../events/event-types.ts';
import { auditChange, auditSubscription, describe, type RequestedChange } from './audit.ts';
import type { NewSubscription, SubscriptionChange } from './fields.ts';
import { headersOf, type NewHeaders, removeHeaders, replaceHeaders } from './header-store.ts';
import { lockExclusively, lockForDeliveries } from './lock.ts';
import { insertSecret, type SealSecret } from './secret-store.ts';
import { type Subscription, subscriptionsMax } from './subscription.ts';

/**
 * Stores a subscription with its first secret and its headers; returns undefined if the key has its maximum of
 * subscriptions.
 */
export async function insertSubscription(
  db: Db,
  wanted: Pick<NewSubscription, 'url' | 'events' | 'description'> & {
    readonly at: string;
    readonly keyId: string;
    readonly seal: SealSecret;
    readonly headers?: NewHeaders;
  },
): Promise<Subscription | undefined> {
  const { keyId, url, events, description, at, seal, headers } = wanted;
  const id = `sub_${randomBytes(8).toString('hex')}`;
  return db.transaction().execute(async (tx) => {
    // The lock keeps two requests from both taking the last place.
    await tx.selectFrom('api_keys').select('id').where('id', '=', keyId).forUpdate().execute();
    const { count } = await tx
      .selectFrom('webhook_subscriptions')
      .select((e) => e.fn.countAll<number | string>().as('count'))
      .where('key_id', '=', keyId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= subscriptionsMax) return undefined;

    const row = {
      id,
      key_id: keyId,
      url: url.href,
      events: JSON.stringify(events),
      description,
      status: 'enabled',
      disabled_reason: null,
      created_at: at,
      enabled_at: at,
      last_success_at: null,
      exhausted_events: 0,
      failing: 0,
    } as const;
    await tx.insertInto('webhook_subscriptions').values(row).execute();
    await insertSecret(tx, { subscriptionId: id, sealed: await seal(id, tx), at });
    if (headers !== undefined) {
      await replaceHeaders(tx, { subscriptionId: id, url: url.href, at }, headers);
    }
    const created = await getSubscription(tx, id);
    const detail = describe(created);
    await auditSubscription(tx, 'create', { id, by: { at, keyId }, detail });
    return created;
  });
}

/** Lists the subscriptions of a key, or of all keys, oldest first. */
export async function listSubscriptions(db: Db, keyId?: string): Promise<Subscription[]> {
  let query = selectSubscriptions(db);
  if (keyId !== undefined) query = query.where('key_id', '=', keyId);
  return (await query.orderBy('created_at').orderBy('id').execute()).map(toSubscription);
}

/** Finds a subscription by its id. */
export async function findSubscription(db: Db, id: string): Promise<Subscription | undefined> {
  const row = await selectSubscriptions(db).where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toSubscription(row);
}

/** Reads a subscription that exists, because its row is locked. */
async function getSubscription(tx: Tx, id: string): Promise<Subscription> {
  return toSubscription(
    await selectSubscriptions(tx).where('id', '=', id).executeTakeFirstOrThrow(),
  );
}

/** Subscriptions with the names of their headers. */
function selectSubscriptions(db: Db) {
  return db
    .selectFrom('webhook_subscriptions as subscription')
    .selectAll()
    .select(headersOf('names').as('headerNames'));
}

/** A change to store; fields that are left out stay, but for the headers if the URL changes. */
type StoredChange = Omit<SubscriptionChange, 'headers'> & { readonly headers?: NewHeaders };

/**
 * Changes the given fields in one transaction, and audits the change. Returns undefined if there is no such
 * subscription.
 *
 * Headers that are given replace all others. Another URL removes them otherwise: whoever has the key could send the values to a
 * receiver of his own.
 *
 * Enabling a subscription resets its failures. Setting the status that it already has changes nothing.
 */
export async function updateSubscription(
  db: Db,
  id: string,
  change: StoredChange,
  by: RequestedChange,
): Promise<Subscription | undefined> {
  const { url, events, description, headers } = change;
  return db.transaction().execute(async (tx) => {
    if (!(await lockForDeliveries(tx, id))) return undefined;
    const before = await getSubscription(tx, id);
    const { status = before.status } = change;
    const set = {
      url: url?.href,
      events: events && JSON.stringify(events),
      description,
      status,
      ...(status !== before.status && statusColumns(status, by)),
    };
    await tx.updateTable('webhook_subscriptions').set(set).where('id', '=', id).execute();
    const urlNow = url?.href ?? before.url;
    if (headers !== undefined) {
      await replaceHeaders(tx, { subscriptionId: id, url: urlNow, at: by.at }, headers);
    } else if (urlNow !== before.url) {
      await removeHeaders(tx, id);
    }
    if (change.status === 'enabled') await resumeDeliveries(tx, id, by.at);
    const after = await getSubscription(tx, id);
    const isGiven = headers !== undefined && headers.names.length > 0;
    await auditChange(tx, by, { before, after, hasNewHeaders: isGiven });
    return after;
  });
}

/** The columns that change with the status. */
function statusColumns(status: Subscription['status'], { keyId, at }: RequestedChange) {
  return status === 'enabled'
    ? ({ disabled_reason: null, enabled_at: at, exhausted_events: 0, failing: 0 } as const)
    : ({ disabled_reason: keyId === undefined ? 'operator' : 'requested' } as const);
}

/** Removes a subscription with its secrets and deliveries, and audits the removal. */
export async function removeSubscription(db: Db, id: string, by: RequestedChange): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const isThere = await lockExclusively(tx, id);
    const deliveries = tx.selectFrom('webhook_deliveries').where('subscription_id', '=', id);
    // Locked before their attempts, in the order that maintenance.ts keeps.
    await deliveries.select('id').orderBy('id').forUpdate().execute();
    await deleteDeliveries(tx, deliveries);
    await tx.deleteFrom('webhook_secrets').where('subscription_id', '=', id).execute();
    await tx.deleteFrom('webhook_subscriptions').where('id', '=', id).execute();
    if (isThere) await auditSubscription(tx, 'remove', { id, by });
  });
}

/** Makes the deliveries due that lost their due time to `suspendDeliveries` in maintenance.ts. */
async function resumeDeliveries(tx: Tx, subscriptionId: string, at: string): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ due_at: at })
    .where('subscription_id', '=', subscriptionId)
    .where('status', '=', 'pending')
    .where('due_at', 'is', null)
    .execute();
}

/** A replica of version 0.1 beside this one writes the earlier text for `key_ended`. */
function toReason(stored: string | null): string | undefined {
  return stored === 'key ended' ? 'key_ended' : (stored ?? undefined);
}

function toSubscription(
  row: Selectable<Tables['webhook_subscriptions']> & { readonly headerNames: string | null },
): Subscription {
  return {
    id: row.id,
    keyId: row.key_id,
    url: row.url,
    events: JSON.parse(row.events) as EventType[],
    description: row.description ?? undefined,
    headers: row.headerNames === null ? [] : (JSON.parse(row.headerNames) as string[]),
    status: row.status,
    disabledReason: toReason(row.disabled_reason),
    createdAt: row.created_at,
  };
}
