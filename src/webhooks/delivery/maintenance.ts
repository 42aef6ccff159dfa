import { setImmediate } from 'node:timers/promises';
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { DisabledReason } from '../subscriptions/subscription.ts';
import { formatInstant } from '../../platform/time.ts';

const dayMs = 86_400_000;
/** A subscription for which so many events were given up … */
const exhaustedEventsMax = 2;
/** … and nothing has arrived for so long is disabled (contract C29). */
const withoutSuccessMs = 5 * dayMs;
/** How long ended deliveries stay in the log. */
const keptMs = 30 * dayMs;
/** Deliveries looked at in one transaction. */
const portionMax = 100;

/** Disables subscriptions that nobody is behind any more; gives how many of each kind. */
export async function disableHopeless(
  db: Db,
  nowMs: number,
): Promise<{ readonly failing: number; readonly keyEnded: number }> {
  const since = formatInstant(nowMs - withoutSuccessMs);
  const now = formatInstant(nowMs);
  return db.transaction().execute(async (tx) => {
    const failing = await disable(tx, 'failing', (e) =>
      e.and([
        e('exhausted_events', '>=', exhaustedEventsMax),
        e('enabled_at', '<=', since),
        e.or([e('last_success_at', 'is', null), e('last_success_at', '<=', since)]),
      ]),
    );
    const keyEnded = await disable(tx, 'key_ended', (e) =>
      e('key_id', 'in', (keys) =>
        keys
          .selectFrom('api_keys')
          .select('id')
          .where((key) =>
            key.or([key('revoked_at', 'is not', null), key('expires_at', '<=', now)]),
          ),
      ),
    );
    return { failing, keyEnded };
  });
}

/** Whoever is busy is disabled the next time: waiting could lock somebody out, and so could any order. */
async function disable(
  tx: Tx,
  reason: DisabledReason,
  condition: (
    e: ExpressionBuilder<Tables, 'webhook_subscriptions'>,
  ) => ExpressionWrapper<Tables, 'webhook_subscriptions', SqlBool>,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_subscriptions')
    .set({ status: 'disabled', disabled_reason: reason })
    .where('id', 'in', (e) =>
      e
        .selectFrom('webhook_subscriptions')
        .select('id')
        .where('status', '=', 'enabled')
        .where(condition)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Sets a portion of the pending deliveries of disabled subscriptions aside: they are due at no time, until their
 * subscription is enabled again or 30 days are over. True if there may be more.
 */
export async function setAside(db: Db): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // Both rows are locked: a subscription that is enabled at the same moment resumes what was set aside.
    const rows = await tx
      .selectFrom('webhook_deliveries as delivery')
      .innerJoin(
        'webhook_subscriptions as subscription',
        'subscription.id',
        'delivery.subscription_id',
      )
      .select('delivery.id')
      .where('delivery.due_at', 'is not', null)
      .where('subscription.status', '=', 'disabled')
      .limit(portionMax)
      .forUpdate()
      .skipLocked()
      .execute();
    if (rows.length === 0) return false;
    await tx
      .updateTable('webhook_deliveries')
      .set({ due_at: null })
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute();
    return rows.length === portionMax;
  });
}

/**
 * Removes deliveries that are 30 days old and are not attempted any more, with their attempts and tests.
 *
 * Looks at so many in one transaction, and calls `pause` between two: on SQLite a statement holds the event
 * loop, and promises alone do not let go of it.
 */
export async function pruneDeliveries(
  db: Db,
  nowMs: number,
  pause: () => Promise<void> = setImmediate,
): Promise<void> {
  const before = formatInstant(nowMs - keptMs);
  let after: Place | undefined = { createdAt: '', id: '' };
  while (after !== undefined) {
    after = await prunePortion(db, { before, after });
    if (after !== undefined) await pause();
  }
}

/** A delivery's place in the order of their age. */
type Place = { readonly createdAt: string; readonly id: string };

/** Gives the place that it has come to; undefined if nothing old is behind it. */
async function prunePortion(
  db: Db,
  { before, after }: { readonly before: string; readonly after: Place },
): Promise<Place | undefined> {
  return db.transaction().execute(async (tx) => {
    const rows = await tx
      .selectFrom('webhook_deliveries')
      .select(['id', 'created_at as createdAt', 'event_id as eventId'])
      .where('due_at', 'is', null)
      .where('created_at', '<', before)
      .where('created_at', '>=', after.createdAt)
      .where((e) => e.or([e('created_at', '>', after.createdAt), e('id', '>', after.id)]))
      .orderBy('created_at')
      .orderBy('id')
      .limit(portionMax)
      .forUpdate()
      .skipLocked()
      .execute();
    const kept = await findAttempted(tx, rows, before);
    await removeDeliveries(
      tx,
      rows.filter(({ id }) => !kept.has(id)),
    );
    return rows.length === portionMax ? rows.at(-1) : undefined;
  });
}

/** Those that were attempted since: an old one may have been replayed yesterday. */
async function findAttempted(
  tx: Tx,
  deliveries: readonly { readonly id: string }[],
  since: string,
): Promise<ReadonlySet<string>> {
  if (deliveries.length === 0) return new Set();
  const rows = await tx
    .selectFrom('webhook_attempts')
    .select('delivery_id')
    .distinct()
    .where(
      'delivery_id',
      'in',
      deliveries.map(({ id }) => id),
    )
    .where('at', '>=', since)
    .execute();
  return new Set(rows.map((row) => row.delivery_id));
}

async function removeDeliveries(
  tx: Tx,
  deliveries: readonly { readonly id: string; readonly eventId: string }[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const ids = deliveries.map(({ id }) => id);
  const eventIds = deliveries.map(({ eventId }) => eventId);
  await tx.deleteFrom('webhook_attempts').where('delivery_id', 'in', ids).execute();
  await tx.deleteFrom('webhook_deliveries').where('id', 'in', ids).execute();
  await tx
    .deleteFrom('events')
    .where('type', '=', 'webhook.test')
    .where('id', 'in', eventIds)
    .execute();
}
