import { randomBytes } from 'node:crypto';
import type { Db, Tx } from '../../platform/database/database.ts';
import { formatInstant } from '../../platform/time.ts';

/** Replays and tests together that a key may request within an hour. */
export const requestedPerHourMax = 1_000;
/** Expectation in the 400 for a `since` that selects more events than one request may replay. */
export const tooManySince = `a moment with at most ${requestedPerHourMax} events since then`;
const hourMs = 3_600_000;
const minuteMs = 60_000;
/** Old counts that one statement removes. */
const portionMax = 250;

/** Limits, by their name in the headers: requests of a key in an hour, replays of a delivery in a minute. */
const policies = {
  replays: { limit: requestedPerHourMax, windowSeconds: 3_600 },
  'replays-of-delivery': { limit: 1, windowSeconds: 60 },
} as const;

type ReplayPolicy = keyof typeof policies;

/** A refused request for deliveries, as the headers of the 429 describe it. */
export type ReplayRefusal = {
  readonly policy: ReplayPolicy;
  readonly limit: number;
  readonly windowSeconds: number;
  /** Seconds after which the same request is accepted; at least 1. */
  readonly retryAfterSeconds: number;
};

/**
 * Counts deliveries that a key requests. If they exceed the key's limit, counts nothing and returns a refusal.
 *
 * Called in the transaction that makes the deliveries due. The counts are rows, so that they hold over replicas and
 * restarts. `count` is at most {@link requestedPerHourMax}.
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
  return refuse('replays', freeAtMs - nowMs);
}

/** The refusal of the delivery that was replayed last, if that was within the last minute. */
export async function findRecentReplay(
  tx: Tx,
  deliveries: readonly { readonly id: string }[],
  at: string,
): Promise<ReplayRefusal | undefined> {
  if (deliveries.length === 0) return undefined;
  const ids = deliveries.map(({ id }) => id);
  const { replayedAt } = await tx
    .selectFrom('webhook_deliveries')
    .select((e) => e.fn.max('replayed_at').as('replayedAt'))
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow();
  if (replayedAt === null) return undefined;
  const waitMs = Date.parse(replayedAt) + minuteMs - Date.parse(at);
  return waitMs <= 0 ? undefined : refuse('replays-of-delivery', waitMs);
}

/** Deletes some counts that are older than an hour; returns whether there may be more. */
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

/** Makes a refusal. No wait exceeds the window, even if the clock was set back. */
function refuse(policy: ReplayPolicy, waitMs: number): ReplayRefusal {
  const { limit, windowSeconds } = policies[policy];
  const retryAfterSeconds = Math.max(1, Math.ceil(Math.min(waitMs / 1_000, windowSeconds)));
  return { policy, limit, windowSeconds, retryAfterSeconds };
}
