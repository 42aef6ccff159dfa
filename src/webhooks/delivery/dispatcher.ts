import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { type Clock, formatInstant } from '../../platform/time.ts';
import { type AttemptResult, writeResults } from './attempt-writer.ts';
import type { ClaimedDelivery } from './delivery.ts';
import { claimDue, hasDue } from './store.ts';
import { type Lane, Slots } from './slots.ts';

/**
 * Polls the outbox and delivers (contract C29).
 *
 * A pending delivery has a due time in the database. The dispatcher claims it for `claimMs`, attempts it, and
 * writes the result under that claim: succeeded, due again, or failed. A crash leaves the claim, which expires; the
 * delivery is then attempted again with the same event id. Nothing is lost, and a receiver that deduplicates by id
 * handles each event once.
 *
 * slots.ts limits the attempts under way: in all, of a subscription and of a key.
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
  readonly #slots = new Slots();
  readonly #underWay = new Set<Promise<void>>();
  #results: AttemptResult[] = [];
  #writing: Promise<void> | undefined;
  #isStopping = false;
  #alarm = Promise.withResolvers<void>();
  #loop: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Looks for due deliveries now. */
  wake(): void {
    this.#alarm.resolve();
  }

  /** Begins no further attempts; resolves when those under way have ended and their results are written. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.wake();
    await this.#loop;
    await Promise.all(this.#underWay);
    await this.#writing;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#alarm = Promise.withResolvers<void>();
      // A claim is limited, so further deliveries may be due.
      if ((await this.#beginDue()) > 0) continue;
      const timer = setTimeout(() => this.wake(), pollMs);
      await this.#alarm.promise;
      clearTimeout(timer);
    }
  }

  /** Claims and begins as many deliveries as there are slots for; returns their number. */
  async #beginDue(): Promise<number> {
    const { db, clock } = this.#parts;
    try {
      const isDue = await hasDue(db, formatInstant(clock.now()));
      let begun = 0;
      if (isDue) {
        begun += await this.#beginLane('healthy');
        if (!this.#isStopping) begun += await this.#beginLane('failing');
      }
      this.#isFailing = false;
      return begun;
    } catch (error) {
      // Only the first of several failures in a row is logged.
      if (!this.#isFailing) this.#parts.log.error({ err: error }, 'deliveries not begun');
      this.#isFailing = true;
      return 0;
    }
  }

  async #beginLane(lane: Lane): Promise<number> {
    const { db, clock, attempt, catchUp } = this.#parts;
    const max = this.#slots.free(lane);
    if (max <= 0) return 0;

    const nowMs = clock.now();
    const claimed = await claimDue(db, {
      at: formatInstant(nowMs),
      until: formatInstant(nowMs + claimMs),
      failing: lane === 'failing',
      max,
      ...this.#slots.limits(lane),
    });
    if (claimed.length === 0) return 0;
    await catchUp();
    const attempts = await attempt(claimed);
    for (const delivery of claimed) this.#slots.take(lane, delivery);
    for (const ending of attempts) this.#track(ending, lane);
    return claimed.length;
  }

  /** When the attempt has ended, releases its slot and hands its result to the writer. */
  #track(ending: Promise<AttemptResult>, lane: Lane): void {
    const tracked = ending.then((result) => {
      this.#underWay.delete(tracked);
      this.#slots.release(lane, result.delivery);
      this.#results.push(result);
      this.#writing ??= this.#writeGathered();
    });
    this.#underWay.add(tracked);
  }

  async #writeGathered(): Promise<void> {
    await sleep(gatherMs);
    let isFailing = false;
    while (this.#results.length > 0) {
      const results = this.#results;
      this.#results = [];
      try {
        await writeResults(this.#parts.db, results);
        isFailing = false;
        // The attempts that ended have freed slots.
        this.wake();
      } catch (error) {
        // Only the first of several failures in a row is logged.
        const fields = { err: error, results: results.length };
        if (!isFailing) this.#parts.log.error(fields, 'attempts not written yet');
        isFailing = true;
        this.#results = [...results, ...this.#results];
        // Results that are not written before the stop are lost; their claims expire, and they are attempted again.
        if (this.#isStopping) break;
        await sleep(pollMs);
      }
    }
    this.#writing = undefined;
  }
}
