import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../platform/database/database.ts';
import { type Log, FailureLog } from '../../platform/log/log.ts';
import { Ticker } from '../../platform/schedule/ticker.ts';
import { type Clock, formatInstant } from '../../platform/time/time.ts';
import { type AttemptResult, writeResults } from './delivery-results.ts';
import type { ClaimedDelivery } from './delivery.ts';
import { claimDue, hasDue } from './store.ts';
import { type Lane, Places } from './places.ts';

/**
 * Polls the outbox and delivers (contract C29).
 *
 * A pending delivery has a due time in the database. The dispatcher claims it for `claimMs`, attempts it, and
 * writes the result under that claim: succeeded, due again, or failed. A crash leaves the claim, which expires; the
 * delivery is then attempted again with the same event id. Nothing is lost, and a receiver that deduplicates by id
 * handles each event once.
 *
 * places.ts limits the attempts under way: in all, of a subscription and of a key.
 */

/** Longer than an attempt and the writing of its result take. */
const claimMs = 30_000;
/** Interval between queries while nothing wakes the dispatcher. */
const pollMs = 500;
/** Results are gathered for this long and written together. */
const gatherMs = 5;

export type DispatcherParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Attempts claimed deliveries: one promise for each, in their order, none of which rejects. */
  readonly attempt: (deliveries: readonly ClaimedDelivery[]) => Promise<Promise<AttemptResult>[]>;
  /** Resolves when every replica answers with the data that the deliveries were claimed from (contract C31). */
  readonly catchUp: () => Promise<void>;
};

export class DeliveryDispatcher {
  readonly #parts: DispatcherParts;
  readonly #places = new Places();
  readonly #underWay = new Set<Promise<void>>();
  #results: AttemptResult[] = [];
  #writing: Promise<void> | undefined;
  readonly #ticker: Ticker;
  readonly #writeFailures: FailureLog;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    // A claim is limited, so further deliveries may be due after one that found any.
    const tick = async () => ((await this.#beginDue()) > 0 ? 0 : pollMs);
    const { log } = parts;
    this.#ticker = new Ticker(tick, { log, intervalMs: pollMs, failure: 'deliveries not begun' });
    this.#writeFailures = new FailureLog(log, 'attempts not written yet');
  }

  start(): void {
    this.#ticker.start();
  }

  /** Looks for due deliveries now. */
  wake(): void {
    this.#ticker.wake();
  }

  /** Begins no further attempts; resolves when those under way have ended and their results are written. */
  async stop(): Promise<void> {
    await this.#ticker.stop();
    await Promise.all(this.#underWay);
    await this.#writing;
  }

  /** Claims and begins as many deliveries as there are places for; returns their number. */
  async #beginDue(): Promise<number> {
    const { db, clock } = this.#parts;
    if (!(await hasDue(db, formatInstant(clock.now())))) return 0;
    const begun = await this.#beginLane('healthy');
    return this.#ticker.isStopping ? begun : begun + (await this.#beginLane('failing'));
  }

  async #beginLane(lane: Lane): Promise<number> {
    const { db, clock, attempt, catchUp } = this.#parts;
    const max = this.#places.free(lane);
    if (max <= 0) return 0;

    const nowMs = clock.now();
    const claimed = await claimDue(db, {
      at: formatInstant(nowMs),
      until: formatInstant(nowMs + claimMs),
      failing: lane === 'failing',
      max,
      ...this.#places.limits(lane),
    });
    if (claimed.length === 0) return 0;
    await catchUp();
    const attempts = await attempt(claimed);
    for (const delivery of claimed) this.#places.take(lane, delivery);
    for (const ending of attempts) this.#track(ending, lane);
    return claimed.length;
  }

  /** When the attempt has ended, releases its place and hands its result to the writer. */
  #track(ending: Promise<AttemptResult>, lane: Lane): void {
    const tracked = ending.then((result) => {
      this.#underWay.delete(tracked);
      this.#places.release(lane, result.delivery);
      this.#results.push(result);
      this.#writing ??= this.#writeGathered();
    });
    this.#underWay.add(tracked);
  }

  async #writeGathered(): Promise<void> {
    await sleep(gatherMs);
    while (this.#results.length > 0) {
      const results = this.#results;
      this.#results = [];
      try {
        await writeResults(this.#parts.db, results);
        this.#writeFailures.succeeded();
        // The attempts that ended have freed places.
        this.wake();
      } catch (error) {
        this.#writeFailures.failed(error, { results: results.length });
        this.#results = [...results, ...this.#results];
        // Results that are not written before the stop are lost; their claims expire, and they are attempted again.
        if (this.#ticker.isStopping) break;
        await sleep(pollMs);
      }
    }
    this.#writing = undefined;
  }
}
