import { randomBytes } from 'node:crypto';
import type { Db, Tx } from '../../platform/database/database.ts';
import { formatInstant } from '../../platform/time.ts';

/** Deliveries that a key may ask for within an hour: replays and tests together. */
export const requestedPerHourMax = 1_000;
/** What `since` has to be, where it is none of wrong form. */
export const tooManySince = 'a moment with at most 1000 events since then';
const hourMs = 3_600_000;
const minuteMs = 60_000;
/** Old counts removed in one statement. */
const portionMax = 250;

/** Why deliveries are not sent on request now, in the terms of a 429's headers. */
export type ReplayRefusal = {
  /** `replays`: those of a key in an hour. `replays-of-delivery`: those of one delivery in a minute. */
  readonly policy: 'replays' | 'replays-of-delivery';
  readonly limit: number;
  readonly windowSeconds: number;
  /** Until the same request passes; at least 1. */
  readonly retryAfterSeconds: number;
};

/**
 * Counts deliveries that a key asks for, unless they would exceed its hour: then nothing is counted, and the
 * refusal says when they would not. `count` is at most {@link requestedPerHourMax}.
 *
 * To be called in the transaction that makes the deliveries due, before any lock on a subscription. The
 * counts are in the database, so that they hold over replicas and restarts.
 */
export async function countRequested(
  tx: Tx,
  wanted: { readonly keyId: string; readonly count: number; readonly at: string },
): Promise<ReplayRefusal | undefined> {
  const { keyId, count, at } = wanted;
  if (count === 0) return undefined;
  const nowMs = Date.parse(at);
  const rows = await tx
    .selectFrom('webhook_replays')
    .select(['at', 'deliveries'])
    .where('key_id', '=', keyId)
    .where('at', '>', formatInstant(nowMs - hourMs))
    .orderBy('at')
    .execute();
  let excess = rows.reduce((sum, row) => sum + row.deliveries, count) - requestedPerHourMax;
  if (excess <= 0) {
    const id = `rpl_${randomBytes(12).toString('hex')}`;
    const row = { id, key_id: keyId, at, deliveries: count };
    await tx.insertInto('webhook_replays').values(row).execute();
    return undefined;
  }
  const freeing = rows.find(({ deliveries }) => (excess -= deliveries) <= 0);
  const freeAtMs = Date.parse(freeing?.at ?? at) + hourMs;
  return refuse('replays', {
    limit: requestedPerHourMax,
    windowMs: hourMs,
    waitMs: freeAtMs - nowMs,
  });
}

/** Lets one transaction at a time count for a key, until it ends. */
export async function lockRequests(tx: Tx, keyId: string): Promise<void> {
  await tx.selectFrom('api_keys').select('id').where('id', '=', keyId).forNoKeyUpdate().execute();
}

/** The refusal of a delivery that was replayed within the last minute; undefined for any other. */
export function findRecentReplay(replayedAt: string | null, at: string): ReplayRefusal | undefined {
  if (replayedAt === null) return undefined;
  const waitMs = Date.parse(replayedAt) + minuteMs - Date.parse(at);
  return waitMs <= 0
    ? undefined
    : refuse('replays-of-delivery', { limit: 1, windowMs: minuteMs, waitMs });
}

/** Removes a portion of the counts that are older than an hour; true if there may be more. */
export async function pruneRequested(db: Db, nowMs: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_replays')
    .where('id', 'in', (e) =>
      e
        .selectFrom('webhook_replays')
        .select('id')
        .where('at', '<=', formatInstant(nowMs - hourMs))
        .limit(portionMax),
    )
    .executeTakeFirst();
  return Number(numDeletedRows) === portionMax;
}

/** A clock that was set back must not make anyone wait for longer than the window. */
function refuse(
  policy: ReplayRefusal['policy'],
  {
    limit,
    windowMs,
    waitMs,
  }: { readonly limit: number; readonly windowMs: number; readonly waitMs: number },
): ReplayRefusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(Math.min(waitMs, windowMs) / 1_000));
  return { policy, limit, windowSeconds: windowMs / 1_000, retryAfterSeconds };
}
