/** The window of every rate limit. */
export const windowSeconds = 60;
const windowMs = windowSeconds * 1_000;
/** Requests this close to each other share a slice, so memory is bounded whatever the limit is. */
const sliceMs = 100;
/** A clock that goes back further than this has been set; what was counted before means nothing. */
const clockSlackMs = 1_000;

/**
 * How many requests there were in the last minute, at any moment.
 *
 * The minute slides: a window that begins anew would let twice the limit through around its edge. A slice
 * is forgotten a minute after the last request in it, so that never more than the limit is counted out in
 * any 60 seconds; a request may count up to a tenth of a second longer than a minute. At most 601 slices.
 */
export class RecentRequests {
  /** Per slice, the oldest first: the moment of its last request, and how many it has. */
  #lastAtMs: number[] = [];
  #counts: number[] = [];
  /** The first slice that still counts; those before it wait to be cut off together. */
  #head = 0;
  #newestBeganMs = 0;
  #total = 0;

  /** How many count now. */
  count(nowMs: number): number {
    this.#forget(nowMs);
    return this.#total;
  }

  /** Counts one more. */
  add(nowMs: number): void {
    this.#forget(nowMs);
    const newest = this.#lastAtMs.length - 1;
    if (newest >= this.#head && nowMs - this.#newestBeganMs < sliceMs) {
      this.#lastAtMs[newest] = Math.max(nowMs, this.#lastAtMs[newest] ?? 0);
      this.#counts[newest] = (this.#counts[newest] ?? 0) + 1;
    } else {
      this.#lastAtMs.push(nowMs);
      this.#counts.push(1);
      this.#newestBeganMs = nowMs;
    }
    this.#total += 1;
  }

  /** Milliseconds until fewer than `limit` count, if none is added; 0 when it is so now. */
  waitMs(limit: number, nowMs: number): number {
    let left = this.count(nowMs);
    for (let at = this.#head; left >= limit && at < this.#counts.length; at += 1) {
      left -= this.#counts[at] ?? 0;
      if (left < limit) return Math.max(0, (this.#lastAtMs[at] ?? 0) + windowMs - nowMs);
    }
    return 0;
  }

  #forget(nowMs: number): void {
    const newestMs = this.#lastAtMs.at(-1);
    if (newestMs === undefined) return;
    if (nowMs >= newestMs + windowMs || nowMs < newestMs - clockSlackMs) {
      // New arrays, because emptied ones keep the room that a burst once took.
      [this.#lastAtMs, this.#counts] = [[], []];
      [this.#head, this.#total] = [0, 0];
      return;
    }
    while ((this.#lastAtMs[this.#head] ?? nowMs) + windowMs <= nowMs) {
      this.#total -= this.#counts[this.#head] ?? 0;
      this.#head += 1;
    }
    // Half of it at a time, so that a request pays for moving one slice.
    if (this.#head > this.#lastAtMs.length / 2) {
      this.#lastAtMs.splice(0, this.#head);
      this.#counts.splice(0, this.#head);
      this.#head = 0;
    }
  }
}
