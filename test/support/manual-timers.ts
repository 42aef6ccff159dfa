import type { Timers } from '../../src/platform/time/timers.ts';

/** Elapsed time that stands still until a test advances it; timers run when they are due, the earliest first. */
export class ManualTimers implements Timers {
  readonly #skippedMs: number | undefined;
  readonly #waiting = new Set<{ readonly atMs: number; readonly run: () => void }>();
  #nowMs = 0;

  /** Timers of exactly `skippedMs` run in the next turn of the event loop, without any time having passed. */
  constructor(options: { readonly skippedMs?: number } = {}) {
    this.#skippedMs = options.skippedMs;
  }

  now(): number {
    return this.#nowMs;
  }

  after(ms: number, run: () => void): () => void {
    if (ms === this.#skippedMs) {
      const soon = setImmediate(run);
      return () => clearImmediate(soon);
    }
    const timer = { atMs: this.#nowMs + Math.max(0, ms), run };
    this.#waiting.add(timer);
    return () => void this.#waiting.delete(timer);
  }

  /** Number of timers that have neither run nor been cancelled. */
  get pending(): number {
    return this.#waiting.size;
  }

  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const [next] = [...this.#waiting].sort((a, b) => a.atMs - b.atMs);
      if (next === undefined || next.atMs > untilMs) break;
      this.#waiting.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.run();
    }
    this.#nowMs = untilMs;
  }
}

const pending = Symbol('pending');

/** Whether a promise is still pending after all work that needs no time. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const turn = new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(pending))));
  return (await Promise.race([promise, turn])) === pending;
}
