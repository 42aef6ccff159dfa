import { LRUCache } from 'lru-cache';
import type { Log } from '../../platform/log/log.ts';
import { networkOf } from '../../platform/http/network.ts';
import type { RequestLimit } from '../../platform/http/request-cost.ts';
import type { Clock } from '../../platform/time/time.ts';
import { type Refusal, refuseRate, windowSeconds } from '../limits/refusal.ts';

const windowMs = windowSeconds * 1_000;
/** Addresses that are counted; the least recent ones are forgotten first. */
const addressesMax = 10_000;

/** Failures of an address in a window that began with the first of them. */
type Failures = { count: number; endsAtMs: number; refusedAtMs: number };

/**
 * Limits how many 401 answers an address gets in a window of 60 seconds.
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
    // A window that ends later than a minute from now began before the clock was set back.
    if (known === undefined || nowMs >= known.endsAtMs || known.endsAtMs > nowMs + windowMs) {
      const refusedAtMs = known?.refusedAtMs ?? -Infinity;
      known = { count: 0, endsAtMs: nowMs + windowMs, refusedAtMs };
      this.#failures.set(network, known);
    }
    if (known.count < this.#limit) {
      known.count += 1;
      return undefined;
    }
    // Logged once for a caller that does not stop, not for each of its requests or windows.
    if (nowMs - known.refusedAtMs >= windowMs) {
      this.#log.warn({ address: network }, 'too many failed authentications');
    }
    known.refusedAtMs = nowMs;
    return refuseRate(this.#limit, known.endsAtMs - nowMs, 'failed-authentication');
  }
}
