import type { ClockTrust } from '../../platform/time/clock-guard.ts';
import type { Db } from '../../platform/database/database.ts';
import { oneByOne } from '../../platform/database/portions.ts';
import type { RevisionWatch } from '../../platform/database/replicas/revisions.ts';
import type { Log } from '../../platform/log/log.ts';
import { Ticker } from '../../platform/schedule/ticker.ts';
import type { Clock } from '../../platform/time/time.ts';
import type { Timers } from '../../platform/time/timers.ts';
import { OpenCharges } from '../stored/open-charges.ts';
import type { AnnounceOfKey } from '../stored/check-events.ts';
import {
  claimDueWatches,
  createWatchCheck,
  type DueWatch,
  failDue,
  followKeys,
  release,
  skipSlot,
} from './due-watches.ts';

/** Interval between passes while nothing is due. */
const pollMs = 500;

type Parts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly clockGuard: ClockTrust;
  readonly timers: Timers;
  readonly log: Log;
  /**
   * Prepares the charge of one check to the quota of a key, not to its rate limit. The charge itself reads no database; it
   * resolves to false, and charges nothing, if no quota is left.
   */
  readonly prepareCharge: (keyId: string) => Promise<() => Promise<boolean>>;
  /** Announces that a watch has failed. */
  readonly announce: AnnounceOfKey;
  /** Follows the changes of keys. */
  readonly watch: Pick<RevisionWatch, 'on'>;
};

/**
 * Creates the stored checks of due watches (rule K13); the worker of stored checks makes their attempts.
 *
 * A pass claims due watches. A crash leaves the claims, which end. The transaction that creates a check also charges it and
 * ends the claim, so of several processes one charges and creates it. No check is created while the one before is pending:
 * its slot is left out. So is a slot of a key that was revoked, has expired or lost the scope, and one whose requester the
 * key may no longer use. While the clock is not trusted, nothing is due: a clock that is ahead would check and charge all
 * watches at the same time.
 */
export class WatchWorker {
  readonly #parts: Parts;
  readonly #ticker: Ticker;
  readonly #charges = new OpenCharges();

  constructor(parts: Parts) {
    this.#parts = parts;
    // A pass is limited, so further watches may be due after one that found any.
    const tick = async () => ((await this.pass()) > 0 ? 0 : pollMs);
    const failure = 'checks of watches not created';
    this.#ticker = new Ticker(tick, { ...parts, intervalMs: pollMs, failure });
  }

  start(): void {
    const { watch } = this.#parts;
    // The first call comes with the start, because the settings may have changed as well.
    watch.on('keys', async (keyIds) => this.followKeys(keyIds));
    this.#ticker.start();
  }

  /** Begins nothing more; resolves when the watch that is being processed is done. May be called more than once. */
  async stop(): Promise<void> {
    await this.#ticker.stop();
  }

  /** Lets watches follow changes of these keys (quota, requester), of all keys if undefined. */
  async followKeys(keyIds: ReadonlySet<string> | undefined): Promise<void> {
    const { db, clock } = this.#parts;
    await followKeys(db, keyIds, clock.now());
  }

  /** Processes some of the due watches; returns their count. */
  async pass(): Promise<number> {
    const { db, clock, clockGuard } = this.#parts;
    if (!clockGuard.isTrusted) return 0;
    const due = await claimDueWatches(db, clock.now());
    const left = new Set(due);
    /** Keys without quota: no check of their other watches in this pass is created. */
    const exhausted = new Set<string>();
    try {
      await oneByOne(due, async (one) => {
        if (this.#ticker.isStopping) return;
        await this.#process(one, exhausted);
        left.delete(one);
      });
    } finally {
      await release(db, [...left]);
    }
    return due.length;
  }

  async #process(due: DueWatch, exhausted: Set<string>): Promise<void> {
    const { db, clock, prepareCharge, announce } = this.#parts;
    const { watch, isKeyWorking, isRequesterAllowed, isPending } = due;
    const nowMs = clock.now();
    const moment = { nowMs, announce };
    if (!isKeyWorking) return skipSlot(db, due, nowMs);
    if (!isRequesterAllowed) return failDue(db, due, 'INVALID_REQUESTER', moment);
    if (isPending) return skipSlot(db, due, nowMs);
    if (exhausted.has(watch.keyId)) return failDue(db, due, 'QUOTA_EXCEEDED', moment);
    const charge = await prepareCharge(watch.keyId);
    const created = await createWatchCheck(db, due, { nowMs, charge, charges: this.#charges });
    if (created !== 'noQuota') return;
    exhausted.add(watch.keyId);
    await failDue(db, due, 'QUOTA_EXCEEDED', moment);
  }
}
