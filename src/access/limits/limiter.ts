import type { RequestLimit } from '../../platform/request-limit.ts';
import { findRefusal, type Refusal, type Standing } from './refusal.ts';
import type { SlidingWindow } from './sliding-window.ts';
import type { KeyRecord } from '../authentication/key-store.ts';
import type { Use, UseBook } from '../usage/ledger.ts';

/** The part of a key that limits are about. */
export type LimitedKey = Pick<KeyRecord, 'id' | 'rateLimit' | 'quota'>;

/** For keys without limits of their own. */
export type DefaultLimits = { readonly rateLimit: RequestLimit; readonly quota: RequestLimit };

/** What others let through as well, as far as it is known here. */
export type Shared = {
  /** Requests of the last minute, everybody's. */
  readonly recent: SlidingWindow;
  /** How often a request is counted: for itself, and for those that other replicas let through meanwhile. */
  readonly weight: number;
};

/** Counts requests against rate limits and quotas (contract C26). */
export interface Limiter {
  /**
   * Charges a request that counts as so many, one where that is left out, or returns why it is refused. All of
   * them fit, or nothing is charged.
   */
  charge(key: LimitedKey, cost?: number): Refusal | undefined | Promise<Refusal | undefined>;
  /** Where a key stands; costs nothing. */
  describe(key: LimitedKey): Promise<Standing>;
}

/**
 * Counts in this process alone.
 *
 * All counting is in memory and at once, so a limit is exact however many requests come together; what was
 * charged is written behind by the `UsageFlusher`.
 */
export class LocalLimiter implements Limiter {
  readonly #book: UseBook;
  readonly #defaults: DefaultLimits;

  constructor(parts: { readonly book: UseBook; readonly defaults: DefaultLimits }) {
    this.#book = parts.book;
    this.#defaults = parts.defaults;
  }

  /** With other replicas that let requests through, their minute decides, and a request counts there as well. */
  charge(
    key: LimitedKey,
    cost = 1,
    shared?: Shared,
  ): Refusal | undefined | Promise<Refusal | undefined> {
    const nowMs = this.#book.now();
    const use = this.#book.find(key.id);
    return use === undefined
      ? // Again from the start, because the month may turn while it is read.
        this.#book.load(key.id).then(async () => this.charge(key, cost, shared))
      : this.#charge(key, use, { nowMs, cost, shared });
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
    {
      nowMs,
      cost,
      shared,
    }: { readonly nowMs: number; readonly cost: number; readonly shared: Shared | undefined },
  ): Refusal | undefined {
    const { rateLimit, quota } = limitsOf(key, this.#defaults);
    const { usedInMonth, month } = use;
    const { recent, weight } = shared ?? { recent: use.recent, weight: 1 };
    const refusal = findRefusal({ rateLimit, recent, quota, usedInMonth, month }, nowMs, cost);
    if (refusal !== undefined) return refusal;
    this.#book.count(use, nowMs, { cost, usedInMonth: usedInMonth + weight * cost });
    shared?.recent.add(nowMs, weight * cost);
    return undefined;
  }
}

/** The limits of a key, its own or the service's. */
export function limitsOf({ rateLimit, quota }: LimitedKey, defaults: DefaultLimits): DefaultLimits {
  return {
    rateLimit: rateLimit === 'default' ? defaults.rateLimit : rateLimit,
    quota: quota === 'default' ? defaults.quota : quota,
  };
}
