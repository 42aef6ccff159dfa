import { pause, type Timers } from '../time/timers.ts';

/** Interval of the looks while requests wait; also the precision of their deadlines. */
const pollMs = 100;
/** Interval at which each waiting request is checked. */
const checkMs = 1_000;

/** A request that waits. Once it is answered or has failed, it waits no longer. */
export type Waiting<Wanted, Answer> = {
  readonly wanted: Wanted;
  readonly answer: (answer: Answer | undefined) => void;
  readonly fail: (error: unknown) => void;
};

type Entry<Wanted, Answer> = Waiting<Wanted, Answer> & {
  readonly untilMs: number;
  readonly check: (() => Promise<void>) | undefined;
  checkedAtMs: number;
};

/**
 * The requests of this process that wait for something in the database (long polling).
 *
 * All of them share one timer and one look per interval; without any, there is neither. A request is an entry in a set, so
 * a thousand requests that wait for the same event are not a thousand queries.
 */
export class WaitingRequests<Wanted, Answer> {
  readonly #timers: Timers;
  readonly #look: (waiting: ReadonlySet<Waiting<Wanted, Answer>>) => Promise<void>;
  readonly #waiting = new Set<Entry<Wanted, Answer>>();
  readonly #stopping = new AbortController();
  #isPolling = false;
  #isLooking = false;

  /** `look` answers the requests whose answer is there; those that begin to wait meanwhile are in the set. It never rejects. */
  constructor(
    timers: Timers,
    look: (waiting: ReadonlySet<Waiting<Wanted, Answer>>) => Promise<void>,
  ) {
    this.#timers = timers;
    this.#look = look;
  }

  get count(): number {
    return this.#waiting.size;
  }

  /**
   * Resolves with the answer of a look; with undefined after `forMs`, if `signal` is aborted, or if the process stops.
   * Rejects if a look fails the request, or if `check`, which is called each second, rejects.
   */
  async wait(
    wanted: Wanted,
    options: {
      readonly forMs: number;
      readonly signal?: AbortSignal;
      readonly check?: () => Promise<void>;
    },
  ): Promise<Answer | undefined> {
    const { forMs, signal, check } = options;
    if (signal?.aborted === true || this.#stopping.signal.aborted) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<Answer | undefined>();
    const nowMs = this.#timers.now();
    const entry: Entry<Wanted, Answer> = {
      wanted,
      check,
      untilMs: nowMs + forMs,
      checkedAtMs: nowMs,
      answer: (answer) => {
        this.#waiting.delete(entry);
        resolve(answer);
      },
      fail: (error) => {
        this.#waiting.delete(entry);
        reject(error);
      },
    };
    this.#waiting.add(entry);
    const end = (): void => entry.answer(undefined);
    signal?.addEventListener('abort', end);
    if (!this.#isPolling) void this.#poll();
    return promise.finally(() => signal?.removeEventListener('abort', end));
  }

  /** Ends all waits, and those that begin later. */
  stop(): void {
    this.#stopping.abort();
    for (const entry of this.#waiting) entry.answer(undefined);
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping;
    this.#isPolling = true;
    while (this.#waiting.size > 0 && !signal.aborted) {
      await pause(this.#timers, pollMs, signal);
      const nowMs = this.#timers.now();
      for (const entry of this.#waiting) {
        if (entry.untilMs <= nowMs) entry.answer(undefined);
        else if (nowMs - entry.checkedAtMs >= checkMs) {
          entry.checkedAtMs = nowMs;
          entry.check?.().catch(entry.fail);
        }
      }
      // Not awaited: deadlines are kept while the database hangs.
      if (!this.#isLooking && this.#waiting.size > 0) void this.#lookNow();
    }
    this.#isPolling = false;
  }

  async #lookNow(): Promise<void> {
    this.#isLooking = true;
    await this.#look(this.#waiting);
    this.#isLooking = false;
  }
}
