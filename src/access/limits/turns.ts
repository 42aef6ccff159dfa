/** Lets those that wait go on one in each turn of the event loop. Keys take turns, so each waits for its own. */
export class Turns {
  /** By key, in the order of their next turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isRunning = false;

  /** Resolves when it is the turn of the key, not in the present turn of the event loop. */
  async wait(keyId: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const ofKey = this.#waiting.get(keyId);
    if (ofKey === undefined) this.#waiting.set(keyId, [resolve]);
    else ofKey.push(resolve);
    if (!this.#isRunning) this.#scheduleNext();
    return promise;
  }

  #scheduleNext(): void {
    this.#isRunning = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#isRunning = false;
      return;
    }
    const [keyId, ofKey] = first;
    this.#waiting.delete(keyId);
    ofKey.shift()?.();
    if (ofKey.length > 0) this.#waiting.set(keyId, ofKey);
    this.#scheduleNext();
  }
}
