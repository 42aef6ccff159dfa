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
export class SlidingWindow {
  /** For each slice, the oldest first, two numbers: the moment of its last request, and how many it has. */
  #slices: number[] = [];
  /** Where the first slice is that still counts; those before it wait to be cut off together. */
  #head = 0;
  #newestBeganMs = 0;
  #total = 0;

  /** How many count now. */
  count(nowMs: number): number {
    const slices = this.#slices;
    if (slices.length === 0) return 0;
    const newestMs = slices[slices.length - 2] ?? 0;
    if (nowMs >= newestMs + windowMs || nowMs < newestMs - clockSlackMs) this.#forgetAll();
    else if ((slices[this.#head] ?? 0) + windowMs <= nowMs) this.#forgetOldest(nowMs);
    return this.#total;
  }

  /** Counts one more, or as many as one stands for. */
  add(nowMs: number, times = 1): void {
    this.count(nowMs);
    this.#push(nowMs, times);
  }

  /** Milliseconds until fewer than `limit` count, if none is added; 0 when it is so now. */
  waitMs(limit: number, nowMs: number): number {
    let left = this.count(nowMs);
    for (let at = this.#head; left >= limit && at < this.#slices.length; at += 2) {
      left -= this.#slices[at + 1] ?? 0;
      if (left < limit) return (this.#slices[at] ?? 0) + windowMs - nowMs;
    }
    return 0;
  }

  #push(atMs: number, times: number): void {
    const slices = this.#slices;
    const newest = slices.length - 2;
    if (newest >= this.#head && atMs - this.#newestBeganMs < sliceMs) {
      if (atMs > (slices[newest] ?? 0)) slices[newest] = atMs;
      slices[newest + 1] = (slices[newest + 1] ?? 0) + times;
    } else {
      // An array that grows takes room for 16 more, and most keys need none of it.
      if (slices.length === 0) this.#slices = [atMs, times];
      else slices.push(atMs, times);
      this.#newestBeganMs = atMs;
    }
    this.#total += times;
  }

  /** A new array, because an emptied one keeps the room that a burst once took. */
  #forgetAll(): void {
    this.#slices = [];
    this.#head = 0;
    this.#total = 0;
  }

  #forgetOldest(nowMs: number): void {
    while ((this.#slices[this.#head] ?? nowMs) + windowMs <= nowMs) {
      this.#total -= this.#slices[this.#head + 1] ?? 0;
      this.#head += 2;
    }
    this.#cutOff();
  }

  /** Half of it at a time, so that a request pays for moving one slice. */
  #cutOff(): void {
    if (this.#head > this.#slices.length / 2) {
      this.#slices.splice(0, this.#head);
      this.#head = 0;
    }
  }
}
