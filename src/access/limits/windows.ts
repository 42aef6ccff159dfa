import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/time/time.ts';
import { windowSeconds } from './refusal.ts';

const windowMs = windowSeconds * 1_000;

/** Counts of a name in a window that began with the first of them. */
type Window = { count: number; endsAtMs: number; refusedAtMs: number };

/** A count over the limit: the time until the window ends, and whether it is the first one of a minute or longer. */
export type Excess = { readonly waitMs: number; readonly isFirst: boolean };

/** Counts by name in windows of 60 seconds, in this process. */
export class Windows {
  readonly #clock: Clock;
  readonly #windows: LRUCache<string, Window>;

  /** Of more names than `namesMax` the least recent ones are forgotten first. */
  constructor({ clock, namesMax }: { readonly clock: Clock; readonly namesMax: number }) {
    this.#clock = clock;
    // Counted by size, because a plain maximum allocates its room at the start.
    this.#windows = new LRUCache({ maxSize: namesMax, sizeCalculation: () => 1 });
  }

  /** Counts one; returns the excess, and counts nothing, if the window has as many as the limit. */
  count(name: string, limit: number): Excess | undefined {
    const nowMs = this.#clock.now();
    let known = this.#windows.get(name);
    // A window that ends later than a minute from now began before the clock was set back.
    if (known === undefined || nowMs >= known.endsAtMs || known.endsAtMs > nowMs + windowMs) {
      const refusedAtMs = known?.refusedAtMs ?? -Infinity;
      known = { count: 0, endsAtMs: nowMs + windowMs, refusedAtMs };
      this.#windows.set(name, known);
    }
    if (known.count < limit) {
      known.count += 1;
      return undefined;
    }
    const isFirst = nowMs - known.refusedAtMs >= windowMs;
    known.refusedAtMs = nowMs;
    return { waitMs: known.endsAtMs - nowMs, isFirst };
  }
}
