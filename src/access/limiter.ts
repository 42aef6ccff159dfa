import type { RequestLimit } from '../platform/request-limit.ts';
import { findRefusal, type Refusal, type Standing } from './allowance.ts';
import type { KeyRecord } from './store.ts';
import type { Use, UseBook } from './use-book.ts';

/** The part of a key that limits are about. */
export type LimitedKey = Pick<KeyRecord, 'id' | 'rateLimit' | 'quota'>;

/** For keys without limits of their own. */
export type DefaultLimits = { readonly rateLimit: RequestLimit; readonly quota: RequestLimit };

/** Counts requests against rate limits and quotas (contract C26). */
export interface Limiter {
  /** Charges one request, or says why not; a refused one costs nothing. */
  charge(key: LimitedKey): Refusal | undefined | Promise<Refusal | undefined>;
  /** Where a key stands; costs nothing. */
  describe(key: LimitedKey): Promise<Standing>;
}

/**
 * Counts in this process alone.
 *
 * All counting is in memory and at once, so a limit is exact however many requests come together; what was
 * charged is written behind by the `UseWriter`.
 */
export class LocalLimiter implements Limiter {
  readonly #book: UseBook;
  readonly #defaults: DefaultLimits;

  constructor(parts: { readonly book: UseBook; readonly defaults: DefaultLimits }) {
    this.#book = parts.book;
    this.#defaults = parts.defaults;
  }

  /**
   * `processes` is more than one where others let requests through that are not known here: each request then
   * counts as often as there are processes, so that together they keep the limit.
   */
  charge(key: LimitedKey, processes = 1): Refusal | undefined | Promise<Refusal | undefined> {
    const nowMs = this.#book.now();
    const use = this.#book.find(key.id);
    return use === undefined
      ? // Again from the start, because the month may turn while it is read.
        this.#book.load(key.id).then(async () => this.charge(key, processes))
      : this.#charge(key, use, { nowMs, processes });
  }

  async describe(key: LimitedKey): Promise<Standing> {
    const nowMs = this.#book.now();
    const use = this.#book.find(key.id);
    if (use === undefined) {
      await this.#book.load(key.id);
      return this.describe(key);
    }
    const { recent, usedInMonth, month } = use;
    return {
      ...limitsOf(key, this.#defaults),
      nowMs,
      usedInMinute: recent.count(nowMs),
      minuteEndsMs: nowMs + recent.waitMs(1, nowMs),
      usedInMonth,
      month,
    };
  }

  #charge(
    key: LimitedKey,
    use: Use,
    { nowMs, processes }: { readonly nowMs: number; readonly processes: number },
  ): Refusal | undefined {
    const { rateLimit, quota } = limitsOf(key, this.#defaults);
    const share = rateLimit === 'none' ? rateLimit : Math.ceil(rateLimit / processes);
    const { recent, usedInMonth, month } = use;
    const allowance = { rateLimit: share, recent, quota, usedInMonth, month };
    const refusal = findRefusal(allowance, nowMs);
    if (refusal === undefined) this.#book.count(use, nowMs, usedInMonth + processes);
    return refusal;
  }
}

/** The limits of a key, its own or the service's. */
export function limitsOf({ rateLimit, quota }: LimitedKey, defaults: DefaultLimits): DefaultLimits {
  return {
    rateLimit: rateLimit === 'default' ? defaults.rateLimit : rateLimit,
    quota: quota === 'default' ? defaults.quota : quota,
  };
}
