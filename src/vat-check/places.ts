type Waiter = () => void;

/**
 * Places: a bounded number of calls at a time, with a bounded queue before them (contract C24).
 *
 * Each call holds one place from `take` to `giveBack`. Calls wait only while all places are taken, and get one in the
 * order of asking.
 */
export class Places {
  readonly #limits: { readonly inFlight: number; readonly waiting: number };
  readonly #waiting = new Set<Waiter>();
  #taken = 0;

  constructor(limits: { readonly inFlight: number; readonly waiting: number }) {
    this.#limits = limits;
  }

  /** Waits for a place: `full` immediately if too many wait already, `cancelled` if the signal is aborted first. */
  async take(signal: AbortSignal): Promise<'taken' | 'full' | 'cancelled'> {
    if (signal.aborted) return 'cancelled';
    if (this.#taken < this.#limits.inFlight) {
      this.#taken += 1;
      return 'taken';
    }
    if (this.#waiting.size >= this.#limits.waiting) return 'full';
    const { promise, resolve } = Promise.withResolvers<'taken' | 'cancelled'>();
    const waiter = (): void => resolve('taken');
    const onAbort = (): void => {
      // A place that was given in the same moment is kept, and given back by its call.
      if (this.#waiting.delete(waiter)) resolve('cancelled');
    };
    this.#waiting.add(waiter);
    signal.addEventListener('abort', onAbort);
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Gives a taken place to the call that is next, or keeps it free. */
  giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
