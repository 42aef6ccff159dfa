import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { type Clock, formatInstant } from '../../platform/time.ts';
import { type AttemptResult, writeResults } from './attempt-writer.ts';
import type { ClaimedDelivery } from './delivery.ts';
import { claimDue, hasDue } from './store.ts';
import { type Lane, Slots } from './slots.ts';

/**
 * Delivers what is due (contract C29).
 *
 * A delivery is `pending` with a due time in the database. It is claimed for `claimMs`, attempted, and what
 * came of it is written under that claim: succeeded, due again, or failed. A crash leaves a claim that
 * ends by itself; the attempt is then made again, with the same event id. So nothing is lost, and a
 * receiver that knows the id sees each event once.
 *
 * How many attempts are under way at the same time, and whose, is in slots.ts.
 */

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
    for (const [index, ending] of attempts.entries()) {
      const delivery = claimed[index];
      if (delivery !== undefined) this.#follow(delivery, ending, lane);
    }
    return claimed.length;
  }

  #follow(delivery: ClaimedDelivery, ending: Promise<AttemptResult>, lane: Lane): void {
    this.#slots.take(lane, delivery);
    const followed = ending.then((result) => {
      this.#underWay.delete(followed);
      this.#slots.release(lane, delivery);
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
