import type { SelectQueryBuilder } from 'kysely';
import { unclaimed } from '../../platform/database/claims.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { inPortions } from '../../platform/database/portions.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { formatInstant } from '../../platform/time/time.ts';
import type { DisabledReason } from '../subscriptions/subscription.ts';
import type { DeliveryCursor } from './delivery-log.ts';
import { deleteDeliveries } from '../delete-deliveries.ts';
import { selectWithSubscription, updateDeliveries } from './store.ts';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
/** An attempt may be due later than its step by this factor, because of jitter and `Retry-After`; rounded up. */
const delayedMax = 3;
/** A subscription is disabled after this many exhausted events … */
const exhaustedEventsMax = 2;
/** … if no attempt has succeeded for this long (contract C29). */
const withoutSuccessMs = 5 * dayMs;
/** Age at which ended deliveries are deleted. */
const keptMs = 30 * dayMs;
/** Deliveries in one transaction. */
const portionMax = 100;

/**
 * Disables subscriptions whose receiver keeps failing or whose key has ended; returns the number of each. `nowMs` is
 * undefined while the clock is not trusted: then only revoked keys count.
 *
 * Skips locked rows; the next pass gets them. Waiting for them here could deadlock.
 */
export async function disableFailing(
  db: Db,
  nowMs: number | undefined,
): Promise<{ readonly failing: number; readonly keyEnded: number }> {
  return db.transaction().execute(async (tx) => {
    const enabled = tx
      .selectFrom('webhook_subscriptions')
      .select('id')
      .where('status', '=', 'enabled')
      .forNoKeyUpdate()
      .skipLocked();
    const keys = tx.selectFrom('api_keys').select('id');
    const revoked = keys.where('revoked_at', 'is not', null);
    const ofKeys = (chosen: typeof keys) => enabled.where('key_id', 'in', chosen);
    if (nowMs === undefined) {
      return { failing: 0, keyEnded: await disable(tx, 'key_ended', ofKeys(revoked)) };
    }
    const since = formatInstant(nowMs - withoutSuccessMs);
    const now = formatInstant(nowMs);
    const withoutSuccess = enabled
      .where('exhausted_events', '>=', exhaustedEventsMax)
      .where('enabled_at', '<=', since)
      .where((e) => e.or([e('last_success_at', 'is', null), e('last_success_at', '<=', since)]));
    const ended = keys.where((e) =>
      e.or([e('revoked_at', 'is not', null), e('expires_at', '<=', now)]),
    );
    return {
      failing: await disable(tx, 'failing', withoutSuccess),
      keyEnded: await disable(tx, 'key_ended', ofKeys(ended)),
    };
  });
}

async function disable(
  tx: Tx,
  reason: DisabledReason,
  chosen: SelectQueryBuilder<Tables, 'webhook_subscriptions', { id: string }>,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_subscriptions')
    .set({ status: 'disabled', disabled_reason: reason })
    .where('id', 'in', chosen)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Removes the due time of some pending deliveries of disabled subscriptions. They become due again if the
 * subscription is enabled within 30 days. Returns whether there may be more.
 */
export async function suspendDeliveries(db: Db): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // Both rows are locked, so that a request that enables the subscription waits, and then resumes them.
    const rows = await selectWithSubscription(tx)
      .select('delivery.id')
      .where('delivery.due_at', 'is not', null)
      .where('subscription.status', '=', 'disabled')
      .limit(portionMax)
      .forUpdate()
      .skipLocked()
      .execute();
    await updateDeliveries(tx, rows, { due_at: null });
    return rows.length === portionMax;
  });
}

/**
 * Makes deliveries due now whose next attempt is later than the schedule allows: a clock that was ahead has written that
 * moment. Call it while the clock is trusted.
 */
export async function repairDueTimes(
  db: Db,
  nowMs: number,
  scheduleSeconds: readonly number[],
): Promise<void> {
  const longestMs = Math.max(...scheduleSeconds) * 1_000 * delayedMax;
  await db
    .updateTable('webhook_deliveries')
    .set({ due_at: formatInstant(nowMs), ...unclaimed })
    .where('due_at', '>', formatInstant(nowMs + longestMs + hourMs))
    .execute();
}

/** Deletes deliveries that are 30 days old and have no further attempt, with their attempts and tests. */
export async function pruneDeliveries(db: Db, nowMs: number): Promise<void> {
  const before = formatInstant(nowMs - keptMs);
  let after: DeliveryCursor | undefined = { createdAt: '', id: '' };
  await inPortions(async () => {
    if (after !== undefined) after = await prunePortion(db, { before, after });
    return after !== undefined;
  });
}

/** Deletes one portion; returns its last delivery, or undefined if no portion follows. */
async function prunePortion(
  db: Db,
  { before, after }: { readonly before: string; readonly after: DeliveryCursor },
): Promise<DeliveryCursor | undefined> {
  return db.transaction().execute(async (tx) => {
    const rows = await tx
      .selectFrom('webhook_deliveries')
      .select(['id', 'created_at as createdAt'])
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
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await deleteDeliveries(tx, notAttempted(tx, ids, before));
    return rows.length === portionMax ? rows.at(-1) : undefined;
  });
}

/** Those of these deliveries that were not attempted since; an old one may have been replayed yesterday. */
function notAttempted(tx: Tx, ids: readonly string[], since: string) {
  return tx
    .selectFrom('webhook_deliveries')
    .where('id', 'in', ids)
    .where('id', 'not in', (e) =>
      e
        .selectFrom('webhook_attempts')
        .select('delivery_id')
        .where('delivery_id', 'in', ids)
        .where('at', '>=', since),
    );
}
