import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { inPortions } from '../../platform/database/portions.ts';
import { createHourly } from '../../platform/schedule/hourly.ts';
import type { ClockTrust } from '../../platform/time/clock-guard.ts';
import { type Clock, dayMs, formatInstant } from '../../platform/time/time.ts';
import { deleteEpochs } from './epochs.ts';
import { readHorizon } from './horizon.ts';

/** Events in one transaction. */
const portionMax = 500;
/** The most portions of one call, so that a stop does not wait long. */
const portionsMax = 20;

type Parts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly clockGuard: ClockTrust;
  /** EVENTS_RETENTION_DAYS; 0 keeps events permanently. */
  readonly retentionDays: number;
};

/**
 * Makes a function that deletes events that are older than the retention (rule E5). Call it every few seconds: it looks
 * once an hour, and continues with the next call if much is old.
 */
export function createEventRetention(parts: Parts): () => Promise<void> {
  const { db, retentionDays } = parts;
  return createHourly(parts, async (nowMs) => {
    if (retentionDays === 0) return false;
    const beforeMs = nowMs - retentionDays * dayMs;
    let portions = 0;
    let isMore = false;
    await inPortions(async () => {
      portions += 1;
      isMore = await deleteOldEvents(db, { nowMs, beforeMs });
      return isMore && portions < portionsMax;
    });
    return isMore;
  });
}

/** Deletes one portion of old events; returns whether there may be more. */
async function deleteOldEvents(
  db: Db,
  { nowMs, beforeMs }: { readonly nowMs: number; readonly beforeMs: number },
): Promise<boolean> {
  const { position: horizon } = await readHorizon(db);
  return db.transaction().execute(async (tx) => {
    // Locked, so that replicas that do this at the same time follow each other.
    const { deletedPosition } = await tx
      .selectFrom('event_log')
      .select('deleted_position as deletedPosition')
      .forUpdate()
      .executeTakeFirstOrThrow();
    const oldest = await listOldest(tx, horizon);
    const upTo = lastOld(oldest, { now: formatInstant(nowMs), before: formatInstant(beforeMs) });
    if (upTo === undefined) return false;
    const reached = Math.max(upTo, deletedPosition);
    // First: positions up to it are not noted one by one.
    await tx.updateTable('event_log').set({ deleted_position: reached }).execute();
    await tx.deleteFrom('events').where('position', '<=', upTo).execute();
    await tx.deleteFrom('deleted_events').where('position', '<=', reached).execute();
    await deleteEpochs(tx, { deletedPosition: reached, nowMs });
    return oldest.length === portionMax && oldest.at(-1)?.position === upTo;
  });
}

type OldEvent = {
  readonly position: number;
  readonly createdAt: string;
  /** Whether a delivery of it is in the log of deliveries, where it may be replayed for 30 days. */
  readonly isDelivered: boolean;
};

async function listOldest(tx: Tx, horizon: number): Promise<OldEvent[]> {
  const rows = await tx
    .selectFrom('events')
    .select((e) => [
      'position',
      'created_at as createdAt',
      e
        .selectFrom('webhook_deliveries as delivery')
        .select('delivery.id')
        // The id of a delivery begins with that of its event; there is no index of events.
        .where('delivery.id', '>=', sql<string>`'dlv_' || substr(events.id, 5)`)
        .where('delivery.id', '<', sql<string>`'dlv_' || substr(events.id, 5) || 'g'`)
        .limit(1)
        .as('deliveryId'),
    ])
    .where('position', '>', 0)
    .where('position', '<=', horizon)
    .orderBy('position')
    .limit(portionMax)
    .execute();
  return rows.map(({ position, createdAt, deliveryId }) => {
    return { position: position ?? 0, createdAt, isDelivered: deliveryId !== null };
  });
}

/**
 * Finds the position up to which all events are old; undefined if the oldest event is not.
 *
 * Only the beginning of the log is deleted, so that a clock that was wrong for a while leaves no hole in it. An event
 * whose moment is in the future was written by such a clock: it is as old as the event that follows it.
 */
function lastOld(
  events: readonly OldEvent[],
  { now, before }: { readonly now: string; readonly before: string },
): number | undefined {
  let last: number | undefined;
  for (const { position, createdAt, isDelivered } of events) {
    const isOld = createdAt < before;
    if (isDelivered || (!isOld && createdAt <= now)) break;
    if (isOld) last = position;
  }
  return last;
}
