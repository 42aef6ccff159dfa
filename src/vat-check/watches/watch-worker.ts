import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { Ticker } from '../../platform/schedule/ticker.ts';
import { type Clock, dateIn, midnightOf, monthOf } from '../../platform/time.ts';
import type { Timers } from '../../platform/timers.ts';
import {
  claimWatch,
  createWatchCheck,
  type DueWatch,
  listDue,
  skipSlot,
  waitForQuota,
} from './due-watches.ts';

/** Interval between passes while nothing is due. */
const pollMs = 500;
/** Time to charge a check and to create it. */
const claimMs = 60_000;

type Parts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Charges one check to the quota of a key, not to its rate limit; false, and charges nothing, if none is left. */
  readonly chargeQuota: (keyId: string) => Promise<boolean>;
};

/**
 * Creates the stored checks of due watches (rule K13); the worker of stored checks makes their attempts.
 *
 * A watch is claimed before its check is charged, so of several processes one charges and creates it. A check is not due
 * while the one before is pending: its slot is left out. So is a slot of a key that was revoked or has expired.
 */
export class WatchWorker {
  readonly #parts: Parts;
  readonly #ticker: Ticker;

  constructor(parts: Parts) {
    this.#parts = parts;
    // A pass is limited, so further watches may be due after one that found any.
    const tick = async () => ((await this.pass()) > 0 ? 0 : pollMs);
    const failure = 'checks of watches not created';
    this.#ticker = new Ticker(tick, { ...parts, intervalMs: pollMs, failure });
  }

  start(): void {
    this.#ticker.start();
  }

  /** Begins nothing more; resolves when the watch that is being processed is done. May be called more than once. */
  async stop(): Promise<void> {
    await this.#ticker.stop();
  }

  /** Processes some of the due watches; returns their count. */
  async pass(): Promise<number> {
    const { db, clock } = this.#parts;
    const due = await listDue(db, clock.now());
    /** Keys without quota: their other watches of this pass are not claimed. */
    const exhausted = new Set<string>();
    for (const one of due) {
      if (this.#ticker.isStopping) break;
      await this.#process(one, exhausted);
      // On SQLite a statement blocks the event loop, and promises alone do not let other work run.
      await setImmediate();
    }
    return due.length;
  }

  async #process(
    { watch, isKeyWorking, isPending }: DueWatch,
    exhausted: Set<string>,
  ): Promise<void> {
    const { db, clock, chargeQuota } = this.#parts;
    const nowMs = clock.now();
    if (!isKeyWorking || isPending) return skipSlot(db, watch, nowMs);
    if (exhausted.has(watch.keyId)) return waitForQuota(db, watch, nextMonthMs(nowMs));
    const claimed = await claimWatch(db, watch, nowMs + claimMs);
    if (claimed === undefined) return;
    if (await chargeQuota(watch.keyId)) {
      await createWatchCheck(db, claimed, clock.now());
    } else {
      exhausted.add(watch.keyId);
      await waitForQuota(db, claimed, nextMonthMs(nowMs));
    }
  }
}

/** The beginning of the next month (UTC), from which quotas are counted from 0 again. */
function nextMonthMs(nowMs: number): number {
  return midnightOf(monthOf(dateIn('UTC', nowMs)).nextFirst);
}
