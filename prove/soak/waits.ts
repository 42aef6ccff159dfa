/** Longer ones are counted together with this. */
const longestMs = 2_000;

/**
 * How long whoever comes at any moment waits for the event loop.
 *
 * A block of 80 ms is one long gap between two looks at the clock, and yet everybody waits who comes within it: the
 * first of them 80 ms, the last nearly nothing. So each millisecond of a gap counts as one who came in it. Gaps
 * counted once each would hide a block among the hundreds of short ones around it.
 */
export class Waits {
  readonly #counts = new Uint32Array(longestMs + 1);
  #count = 0;
  #maxMs = 0;

  /** Adds the time between two looks at the clock. */
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

  /** So long does this share of all wait at most, in whole milliseconds; 0 when nobody came. */
  quantile(share: number): number {
    let left = this.#count * share;
    for (const [waitMs, count] of this.#counts.entries()) {
      left -= count;
      if (left <= 0) return waitMs;
    }
    return longestMs;
  }
}
