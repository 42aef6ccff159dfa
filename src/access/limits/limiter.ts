import type { Cost } from '../../platform/request-cost.ts';
import type { Month } from '../utc-month.ts';
import { type LimitedKey, type Limits, limitsOf } from './key-limits.ts';
import type { LimitState, LimitStates } from './limit-state.ts';
import type { Refusal } from './refusal.ts';

/** A key's limits and its use of them, as `/usage` reports them. */
export type Standing = Limits & {
  readonly usedInMinute: number;
  /** When none of the requests of the last minute counts any more. */
  readonly minuteEndsMs: number;
  /** Requests charged this month (UTC). */
  readonly usedInMonth: number;
  readonly month: Month;
};

/** Counts requests against rate limits and quotas (contract C26). */
export interface Limiter {
  /** Charges a request that counts as `cost`, 1 by default, or returns the reason why it is refused and costs nothing. */
  charge(key: LimitedKey, cost?: Cost): Refusal | undefined | Promise<Refusal | undefined>;
  /** Reports a key's limits and use; costs nothing. */
  describe(key: LimitedKey): Promise<Standing>;
}

/**
 * Counts in this process alone.
 *
 * Counts are in memory and change synchronously, so a limit is exact however many requests arrive together.
 */
export class LocalLimiter implements Limiter {
  readonly #states: LimitStates;
  readonly #defaults: Limits;

  constructor(parts: { readonly states: LimitStates; readonly defaults: Limits }) {
    this.#states = parts.states;
    this.#defaults = parts.defaults;
  }

  charge(key: LimitedKey, cost: Cost = 1): Refusal | undefined | Promise<Refusal | undefined> {
    return this.#states.whenKnown(key.id, (state, nowMs) =>
      this.#states.charge(state, limitsOf(key, this.#defaults), { nowMs, cost }),
    );
  }

  async describe(key: LimitedKey): Promise<Standing> {
    const state = await this.#states.readCurrent(key.id);
    return toStanding(state, limitsOf(key, this.#defaults), this.#states.now());
  }
}

/** A key's limits and use, as far as this process knows them. */
export function toStanding(
  { recent, usedInMonth, month }: LimitState,
  limits: Limits,
  nowMs: number,
): Standing {
  const minuteEndsMs = nowMs + recent.waitMs(1, nowMs);
  return { ...limits, usedInMinute: recent.count(nowMs), minuteEndsMs, usedInMonth, month };
}
