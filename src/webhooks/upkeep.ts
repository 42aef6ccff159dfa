import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import type { Db, Tx } from '../platform/database/database.ts';
import type { Tables } from '../platform/database/tables.ts';
import type { DisabledReason } from './subscription.ts';
import { formatInstant } from '../platform/time.ts';

const dayMs = 86_400_000;
/** A subscription for which so many events were given up … */
const exhaustedEventsMax = 2;
/** … and nothing has arrived for so long is disabled (contract C29). */
const withoutSuccessMs = 5 * dayMs;
/** How long ended deliveries stay in the log. */
const keptMs = 30 * dayMs;
/** Deliveries removed in one transaction. */
const portionMax = 250;

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
    const keyEnded = await disable(tx, 'key ended', (e) =>
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

/** Removes a portion of the deliveries that ended 30 days ago; true when there may be more. */
export async function pruneDeliveries(db: Db, nowMs: number): Promise<boolean> {
  const before = formatInstant(nowMs - keptMs);
  return db.transaction().execute(async (tx) => {
    const rows = await tx
      .selectFrom('webhook_deliveries')
      .select(['id', 'event_id'])
      .where('due_at', 'is', null)
      .where('created_at', '<', before)
      // An old one may have been replayed yesterday.
      .where((e) =>
        e.not(
          e.exists(
            e
              .selectFrom('webhook_attempts')
              .select('id')
              .whereRef('delivery_id', '=', 'webhook_deliveries.id')
              .where('at', '>=', before),
          ),
        ),
      )
      .limit(portionMax)
      .forUpdate('webhook_deliveries')
      .skipLocked()
      .execute();
    if (rows.length === 0) return false;
    const ids = rows.map(({ id }) => id);
    await tx.deleteFrom('webhook_attempts').where('delivery_id', 'in', ids).execute();
    await tx.deleteFrom('webhook_deliveries').where('id', 'in', ids).execute();
    await tx
      .deleteFrom('events')
      .where('type', '=', 'webhook.test')
      .where(
        'id',
        'in',
        rows.map((row) => row.event_id),
      )
      .execute();
    return rows.length === portionMax;
  });
}
