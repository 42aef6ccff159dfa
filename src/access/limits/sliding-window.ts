/** The window of every rate limit. */
export const windowSeconds = 60;
const windowMs = windowSeconds * 1_000;
/** Requests that are less than this apart share a slice, so memory is bounded whatever the limit is. */
const sliceMs = 100;
/** After a clock went back by more than this, the moments of earlier requests mean nothing. */
const clockSlackMs = 1_000;

/**
 * Counts the requests of the last minute, at any moment.
 *
 * The minute slides: a fixed window would admit twice the limit around its edge. A slice is forgotten a minute
 * after its last request, so that never more than the limit is admitted in any 60 seconds; a request may count up to
 * a tenth of a second longer than a minute. There are at most 601 slices.
 */
export class SlidingWindow {
  /** Two numbers for each slice, the oldest first: the moment of its last request, and its number of requests. */
  #slices: number[] = [];
  #newestBeganMs = 0;
  #total = 0;

  /** The number of requests in the last minute. */
  count(nowMs: number): number {
    const slices = this.#slices;
    if (slices.length === 0) return 0;
    const newestMs = slices[slices.length - 2] ?? 0;
    if (nowMs >= newestMs + windowMs || nowMs < newestMs - clockSlackMs) this.#forgetAll();
    else if ((slices[0] ?? 0) + windowMs <= nowMs) this.#forgetOldest(nowMs);
    return this.#total;
  }

  /** Counts a request, as one or as several. */
  add(nowMs: number, requests = 1): void {
    this.count(nowMs);
    const slices = this.#slices;
    const newest = slices.length - 2;
    if (newest >= 0 && nowMs - this.#newestBeganMs < sliceMs) {
      if (nowMs > (slices[newest] ?? 0)) slices[newest] = nowMs;
      slices[newest + 1] = (slices[newest + 1] ?? 0) + requests;
    } else {
      // An array that grows allocates room for 16 more numbers, which most keys never need.
      if (slices.length === 0) this.#slices = [nowMs, requests];
      else slices.push(nowMs, requests);
      this.#newestBeganMs = nowMs;
    }
    this.#total += requests;
  }

  /** Milliseconds until fewer requests than `limit` count, if none is added; 0 if that is so now. */
  waitMs(limit: number, nowMs: number): number {
    let left = this.count(nowMs);
    for (let at = 0; left >= limit && at < this.#slices.length; at += 2) {
      left -= this.#slices[at + 1] ?? 0;
      if (left < limit) return (this.#slices[at] ?? 0) + windowMs - nowMs;
    }
    return 0;
  }

  /** Makes a new array, because an emptied one keeps the room that a burst took. */
  #forgetAll(): void {
    this.#slices = [];
    this.#total = 0;
  }

  #forgetOldest(nowMs: number): void {
    let ended = 0;
    while ((this.#slices[ended] ?? nowMs) + windowMs <= nowMs) {
      this.#total -= this.#slices[ended + 1] ?? 0;
      ended += 2;
    }
    this.#slices.splice(0, ended);
  }
}
