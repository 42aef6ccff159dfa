import type { FreeLimits } from '../../platform/http/free-requests.ts';
import { networkOf } from '../../platform/http/network.ts';
import type { ApiError } from '../../platform/http/responses/api-errors.ts';
import type { Clock } from '../../platform/time/time.ts';
import type { FailedAuthentication } from '../authentication/failed-authentication.ts';
import { type LimitedKey, type Limits, limitsOf } from './key-limits.ts';
import { toError } from './refusal-error.ts';
import { refuseRate } from './refusal.ts';
import { Turns } from './turns.ts';
import { Windows } from './windows.ts';

/** A key may have this many free requests for each request of its rate limit, and as many cached checks. */
const freeForEach = 10;
/** Keys that are counted; each takes some 200 bytes. */
const keysMax = 200_000;
/** Answers of public pages to an address in a window of 60 seconds. */
const publicLimit = 600;
const addressesMax = 10_000;

type Parts = {
  readonly clock: Clock;
  readonly failures: Pick<FailedAuthentication, 'count'>;
  readonly defaults: Limits;
};

/**
 * Counts what costs nothing (contract C26a), in this process: by key in a window of ten times its rate limit, cached checks in
 * another one of the same size, and without a key by address. A key without a rate limit has neither window.
 */
export class FreeRequests implements FreeLimits {
  readonly #parts: Parts;
  readonly #ofKeys: Windows;
  readonly #ofChecks: Windows;
  readonly #ofPublicPages: Windows;
  readonly #turns = new Turns();

  constructor(parts: Parts) {
    const { clock } = parts;
    this.#parts = parts;
    this.#ofKeys = new Windows({ clock, namesMax: keysMax });
    this.#ofChecks = new Windows({ clock, namesMax: keysMax });
    this.#ofPublicPages = new Windows({ clock, namesMax: addressesMax });
  }

  ofKey(key: LimitedKey): ApiError | undefined {
    const limit = this.#limitOf(key);
    const excess = this.#ofKeys.count(key.id, limit);
    return excess && toError(refuseRate(limit, excess.waitMs, 'free-requests'));
  }

  ofCheck(key: LimitedKey): Promise<void> | undefined {
    const excess = this.#ofChecks.count(key.id, this.#limitOf(key));
    return excess && this.#turns.wait(key.id);
  }

  ofAddress(address: string | undefined): ApiError | undefined {
    const refusal = this.#parts.failures.count(address);
    return refusal && toError(refusal);
  }

  ofPublicPage(address: string | undefined): ApiError | undefined {
    const excess = this.#ofPublicPages.count(networkOf(address), publicLimit);
    return excess && toError(refuseRate(publicLimit, excess.waitMs, 'public-pages'));
  }

  #limitOf(key: LimitedKey): number {
    const { rateLimit } = limitsOf(key, this.#parts.defaults);
    return rateLimit === 'none' ? Infinity : freeForEach * rateLimit;
  }
}
