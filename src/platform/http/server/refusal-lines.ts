import type { Log } from '../../log/log.ts';

/** Lines of a key in a second. */
const linesMax = 10;
const secondMs = 1_000;

/**
 * Bounds the lines of the access log about requests beyond a limit (contract C26a): ten in a second for each key, and for all
 * requests without a key together. Then there is one line with the number of the others.
 */
export class RefusalLines {
  readonly #log: Log;
  /** Requests of each key in a second, which begins with the first of them; null for those without a key. */
  #counts = new Map<string | null, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Counts a request; returns whether it is logged. */
  admit(keyId: string | null): boolean {
    const count = (this.#counts.get(keyId) ?? 0) + 1;
    this.#counts.set(keyId, count);
    this.#timer ??= setTimeout(() => this.report(), secondMs).unref();
    return count <= linesMax;
  }

  /** Ends the second. */
  report(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counts = this.#counts;
    this.#counts = new Map();
    for (const [keyId, count] of counts) {
      if (count <= linesMax) continue;
      this.#log.info({ keyId, count: count - linesMax }, 'refusals not logged');
    }
  }
}
