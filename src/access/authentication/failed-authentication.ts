import type { Log } from '../../platform/log/log.ts';
import { networkOf } from '../../platform/http/network.ts';
import type { RequestLimit } from '../../platform/http/request-cost.ts';
import type { Clock } from '../../platform/time/time.ts';
import { type Refusal, refuseRate } from '../limits/refusal.ts';
import { Windows } from '../limits/windows.ts';

/** Addresses that are counted. */
const addressesMax = 10_000;

/**
 * Limits how many answers an address gets in a window of 60 seconds without a key that works.
 *
 * Only failures are counted and refused. A good key is admitted from every address, so a caller is never locked
 * out by another one behind the same address.
 */
export class FailedAuthentication {
  readonly #limit: RequestLimit;
  readonly #log: Log;
  readonly #failures: Windows;

  constructor(parts: { readonly clock: Clock; readonly limit: RequestLimit; readonly log: Log }) {
    this.#limit = parts.limit;
    this.#log = parts.log;
    this.#failures = new Windows({ clock: parts.clock, namesMax: addressesMax });
  }

  /** Counts a failure; returns a refusal if the address had too many. */
  count(address: string | undefined): Refusal | undefined {
    if (this.#limit === 'none') return undefined;
    const network = networkOf(address);
    const excess = this.#failures.count(network, this.#limit);
    if (excess === undefined) return undefined;
    // Logged once for a caller that does not stop, not for each of its requests or windows.
    if (excess.isFirst) this.#log.warn({ address: network }, 'too many failed authentications');
    return refuseRate(this.#limit, excess.waitMs, 'failed-authentication');
  }
}
