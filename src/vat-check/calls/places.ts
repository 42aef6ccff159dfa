import { unlessAborted } from '../../platform/time/timers.ts';

type Limits = {
  readonly inFlight: number;
  readonly waiting: number;
  /** How many of the waiting places calls of one key may hold. */
  readonly waitingPerKey: number;
  /** How many of the places background calls may hold at a time. */
  readonly background: number;
};

type Waiter = { readonly keyId: string; readonly begin: () => void };

/**
 * Places: a bounded number of calls at a time, with a bounded queue before them (contract C24).
 *
 * Each call holds one place from `take` to `giveBack`. Calls wait only while all places are taken. Keys take turns: after a
 * key has got a place, all other keys that wait are before it, and its own calls keep their order. So a key with many
 * calls delays another by one call for each place, not by its whole queue.
 *
 * Background calls never wait: they take a place that is free, and only some of the places, so that other calls have
 * priority.
 */
export class Places {
  readonly #limits: Limits;
  /** Calls that wait, by key. Keys are in the order in which they get the next places; none is here without a call. */
  readonly #waiting = new Map<string, Set<Waiter>>();
  #waitingCount = 0;
  #taken = 0;
  #inBackground = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Waits for a place: `full` immediately if too many wait already, `cancelled` if the signal is aborted first. */
  async take(keyId: string, signal: AbortSignal): Promise<'taken' | 'full' | 'cancelled'> {
    if (signal.aborted) return 'cancelled';
    if (this.#taken < this.#limits.inFlight) {
      this.#taken += 1;
      return 'taken';
    }
    const ofKey = this.#waiting.get(keyId)?.size ?? 0;
    const { waiting, waitingPerKey } = this.#limits;
    if (this.#waitingCount >= waiting || ofKey >= waitingPerKey) return 'full';
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const waiter = { keyId, begin };
    this.#add(waiter);
    try {
      await unlessAborted(signal, begun);
      return 'taken';
    } catch {
      // The call keeps a place that it was given in the same moment, and gives it back itself.
      return this.#remove(waiter) ? 'cancelled' : 'taken';
    }
  }

  /** Count of background calls that could take a place now. */
  get freeForBackground(): number {
    const { inFlight, background } = this.#limits;
    return Math.max(0, Math.min(inFlight - this.#taken, background - this.#inBackground));
  }

  /** Takes a place for a background call, unless none is free for it. */
  takeForBackground(): 'taken' | 'full' {
    if (this.freeForBackground === 0) return 'full';
    this.#taken += 1;
    this.#inBackground += 1;
    return 'taken';
  }

  /** The same as `giveBack`, for a place that was taken for a background call. */
  giveBackFromBackground(): void {
    this.#inBackground -= 1;
    this.giveBack();
  }

  /** Gives a taken place to the call that is next, or keeps it free. */
  giveBack(): void {
    const [ofNextKey] = this.#waiting.values();
    const [next] = ofNextKey ?? [];
    if (ofNextKey === undefined || next === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#remove(next);
    // To the end of the order, if more of its calls wait.
    if (this.#waiting.delete(next.keyId)) this.#waiting.set(next.keyId, ofNextKey);
    next.begin();
  }

  #add(waiter: Waiter): void {
    this.#waiting.getOrInsertComputed(waiter.keyId, () => new Set()).add(waiter);
    this.#waitingCount += 1;
  }

  /** False if it does not wait any more. */
  #remove(waiter: Waiter): boolean {
    const ofKey = this.#waiting.get(waiter.keyId);
    if (ofKey?.delete(waiter) !== true) return false;
    if (ofKey.size === 0) this.#waiting.delete(waiter.keyId);
    this.#waitingCount -= 1;
    return true;
  }
}
