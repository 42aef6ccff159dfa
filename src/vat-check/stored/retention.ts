import type { Db } from '../../platform/database/database.ts';
import { createHourly } from '../../platform/schedule/hourly.ts';
import type { ClockTrust } from '../../platform/time/clock-guard.ts';
import { type Clock, dayMs } from '../../platform/time/time.ts';
import { type OnDeleted, pruneChecks } from './delete-checks.ts';
import { pruneIdempotencyKeys } from './idempotency.ts';

/** The most checks that one call deletes, so that a stop does not wait long. */
const checksMax = 10_000;

type Parts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly clockGuard: ClockTrust;
  /** CHECKS_RETENTION_DAYS; 0 keeps checks permanently. */
  readonly retentionDays: number;
  readonly onDeleted: OnDeleted;
};

/**
 * Makes a function that deletes checks that are older than the retention, and idempotency keys of more than 24 hours
 * (rule K18). Call it every few seconds: it looks once an hour, and continues with the next call if much is old.
 */
export function createRetention(parts: Parts): () => Promise<void> {
  const { db, retentionDays, onDeleted } = parts;
  return createHourly(parts, async (nowMs) => {
    await pruneIdempotencyKeys(db, nowMs);
    if (retentionDays === 0) return false;
    const beforeMs = nowMs - retentionDays * dayMs;
    return (await pruneChecks(db, beforeMs, onDeleted, checksMax)) >= checksMax;
  });
}
