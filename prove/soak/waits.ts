/** Longer waits count as waits of this length. */
const longestMs = 2_000;

/**
 * The distribution of the time that requests wait for the event loop, if requests arrive at random moments.
 *
 * A block of 80 ms is one long gap between two readings of the clock. A request at its beginning waits 80 ms, one at its
 * end almost nothing. Each millisecond of a gap therefore counts as one request. If each gap counted once, a block
 * would be lost among hundreds of short gaps.
 */
export class Waits {
  readonly #counts = new Uint32Array(longestMs + 1);
  #count = 0;
  #maxMs = 0;

  /** Adds the time between two readings of the clock. */
  addGap(gapMs: number): void {
    for (let waitMs = Math.floor(gapMs); waitMs >= 0; waitMs -= 1) {
      const at = Math.min(waitMs, longestMs);
      this.#counts[at] = (this.#counts[at] ?? 0) + 1;
      this.#count += 1;
    }
    this.#maxMs = Math.max(this.#maxMs, gapMs);
  }

  get maxMs(): number {
    return this.#maxMs;
  }

  /** The wait that this share of requests does not exceed, in whole milliseconds; 0 without requests. */
  quantile(share: number): number {
    let left = this.#count * share;
    for (const [waitMs, count] of this.#counts.entries()) {
      left -= count;
      if (left <= 0) return waitMs;
    }
    return longestMs;
  }
}
