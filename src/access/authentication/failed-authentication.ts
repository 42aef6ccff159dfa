import { LRUCache } from 'lru-cache';
import type { Log } from '../../platform/log.ts';
import { networkOf } from '../../platform/network.ts';
import type { RequestLimit } from '../../platform/request-limit.ts';
import type { Clock } from '../../platform/time.ts';
import { type Refusal, refuseRate } from '../limits/refusal.ts';
import { SlidingWindow, windowSeconds } from '../limits/sliding-window.ts';

/** Addresses that are counted; the least recent ones are forgotten first. */
const addressesMax = 10_000;

type Failures = {
  readonly recent: SlidingWindow;
  refusedAtMs: number;
};

/**
 * Limits how many 401 answers an address gets in a minute.
 *
 * Only failures are counted and refused. A good key is admitted from every address, so a caller is never locked
 * out by another one behind the same address.
 */
export class FailedAuthentication {
  readonly #clock: Clock;
  readonly #limit: RequestLimit;
  readonly #log: Log;
  // Counted by size, because a plain maximum allocates its room at the start.
  readonly #failures = new LRUCache<string, Failures>({
    maxSize: addressesMax,
    sizeCalculation: () => 1,
  });

  constructor(parts: { readonly clock: Clock; readonly limit: RequestLimit; readonly log: Log }) {
    this.#clock = parts.clock;
    this.#limit = parts.limit;
    this.#log = parts.log;
  }

  /** Counts a failure; returns a refusal if the address had too many. */
  count(address: string): Refusal | undefined {
    if (this.#limit === 'none') return undefined;
    const nowMs = this.#clock.now();
    const network = networkOf(address);
    let known = this.#failures.get(network);
    if (known === undefined) {
      known = { recent: new SlidingWindow(), refusedAtMs: -Infinity };
      this.#failures.set(network, known);
    }
    const { recent } = known;
    if (recent.count(nowMs) < this.#limit) {
      recent.add(nowMs);
      return undefined;
    }
    // Logged once for a caller that does not stop, not for each of its requests.
    if (nowMs - known.refusedAtMs >= windowSeconds * 1_000) {
      this.#log.warn({ address: network }, 'too many failed authentications');
    }
    known.refusedAtMs = nowMs;
    return refuseRate(this.#limit, recent.waitMs(this.#limit, nowMs), 'failed-authentication');
  }
}
