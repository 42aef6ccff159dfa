import {
  type Clock,
  dateIn,
  dayMs,
  type IsoDate,
  midnightOf,
  monthOf,
} from '../platform/time/time.ts';

/** A calendar month in UTC, as moments. */
export type Month = { readonly startsMs: number; readonly endsMs: number };

/** The current day and month in UTC, computed when the day changes and not for every request. */
export class UtcMonth {
  readonly #clock: Clock;
  #day = Number.NaN;
  #date = '' as IsoDate;
  #month: Month = { startsMs: Number.NaN, endsMs: Number.NaN };

  constructor(clock: Clock) {
    this.#clock = clock;
    this.now();
  }

  /** The day as of the last call of `now`. */
  get date(): IsoDate {
    return this.#date;
  }

  /** The month as of the last call of `now`; the same object as long as it is the same month. */
  get month(): Month {
    return this.#month;
  }

  /** The time; updates day and month. */
  now(): number {
    const nowMs = this.#clock.now();
    const day = Math.floor(nowMs / dayMs);
    if (day !== this.#day) {
      this.#day = day;
      this.#date = dateIn('UTC', nowMs);
      const { first, nextFirst } = monthOf(this.#date);
      const startsMs = midnightOf(first);
      if (startsMs !== this.#month.startsMs) {
        this.#month = { startsMs, endsMs: midnightOf(nextFirst) };
      }
    }
    return nowMs;
  }
}
