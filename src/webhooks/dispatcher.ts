import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import { type Clock, formatInstant } from '../platform/time.ts';
import { type AttemptResult, writeResults } from './attempt-results.ts';
import type { ClaimedDelivery } from './delivery.ts';
import { claimDue, hasDue } from './delivery-store.ts';

/**
 * Delivers what is due (contract C29).
 *
 * A delivery is `pending` with a due time in the database. It is claimed for `claimMs`, attempted, and what
 * came of it is written under that claim: succeeded, due again, or failed. A crash leaves a claim that
 * ends by itself; the attempt is then made again, with the same event id. So nothing is lost, and a
 * receiver that knows the id sees each event once.
 *
 * Nobody delays anybody: a subscription has at most four attempts under way, and those whose last attempt
 * failed share a part of the slots, so that any number of dead receivers leaves room for the others.
 */
const slotsMax = 512;
const failingSlotsMax = 128;
const perSubscriptionMax = 4;
/** Longer than an attempt and the writing of its result. */
const claimMs = 30_000;
/** How often the database is asked when nothing happens here. */
const pollMs = 500;
/** Results gather this long, so that many are written together. */
const gatherMs = 5;

export type DispatcherParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Makes the attempts of claimed deliveries; one promise each, none of which fails. */
  readonly attempt: (deliveries: readonly ClaimedDelivery[]) => Promise<Promise<AttemptResult>[]>;
  /** Makes every process answer what the database had when the deliveries were claimed (contract C31). */
  readonly catchUp: () => Promise<void>;
};

export class DeliveryDispatcher {
  readonly #parts: DispatcherParts;
  /** Attempts under way by subscription. */
  readonly #perSubscription = new Map<string, number>();
  readonly #underWay = new Set<Promise<void>>();
  #failingUnderWay = 0;
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

  /** Looks now for what is due. */
  wake(): void {
    this.#alarm.resolve();
  }

  /** Begins nothing more; resolves when what is under way has ended and is written. */
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
      // Whoever was begun may have hidden others behind them.
      if ((await this.#beginDue()) > 0) continue;
      const timer = setTimeout(() => this.wake(), pollMs);
      await this.#alarm.promise;
      clearTimeout(timer);
    }
  }

  /** Claims and begins what there is room for; gives how many. */
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
      // Once, not at every look.
      if (!this.#isFailing) this.#parts.log.error({ err: error }, 'deliveries not begun');
      this.#isFailing = true;
      return 0;
    }
  }

  async #beginLane(lane: 'healthy' | 'failing'): Promise<number> {
    const { db, clock, attempt, catchUp } = this.#parts;
    const isFailing = lane === 'failing';
    const free = slotsMax - this.#underWay.size;
    const max = isFailing ? Math.min(free, failingSlotsMax - this.#failingUnderWay) : free;
    if (max <= 0) return 0;

    const nowMs = clock.now();
    const claimed = await claimDue(db, {
      at: formatInstant(nowMs),
      until: formatInstant(nowMs + claimMs),
      failing: isFailing,
      max,
      roomOf: (id) => perSubscriptionMax - (this.#perSubscription.get(id) ?? 0),
      busy: [...this.#perSubscription].flatMap(([id, n]) => (n >= perSubscriptionMax ? id : [])),
    });
    if (claimed.length === 0) return 0;
    await catchUp();
    const attempts = await attempt(claimed);
    for (const [index, ending] of attempts.entries()) {
      const delivery = claimed[index];
      if (delivery !== undefined) this.#follow(delivery, ending, isFailing);
    }
    return claimed.length;
  }

  #follow(delivery: ClaimedDelivery, ending: Promise<AttemptResult>, isFailing: boolean): void {
    const { subscriptionId } = delivery;
    this.#perSubscription.set(subscriptionId, (this.#perSubscription.get(subscriptionId) ?? 0) + 1);
    if (isFailing) this.#failingUnderWay += 1;
    const followed = ending.then((result) => {
      this.#underWay.delete(followed);
      if (isFailing) this.#failingUnderWay -= 1;
      const left = (this.#perSubscription.get(subscriptionId) ?? 1) - 1;
      if (left === 0) this.#perSubscription.delete(subscriptionId);
      else this.#perSubscription.set(subscriptionId, left);
      this.#results.push(result);
      this.#writing ??= this.#writeGathered();
    });
    this.#underWay.add(followed);
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
        // There is room again.
        this.wake();
      } catch (error) {
        // Once, not at every try.
        const fields = { err: error, results: results.length };
        if (!isFailing) this.#parts.log.error(fields, 'attempts not written yet');
        isFailing = true;
        this.#results = [...results, ...this.#results];
        // What is not written when we stop is attempted again when its claim ends.
        if (this.#isStopping) break;
        await sleep(pollMs);
      }
    }
    this.#writing = undefined;
  }
}
