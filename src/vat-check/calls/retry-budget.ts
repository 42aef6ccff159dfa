/** One in ten calls may be repeated; up to 10 unused repetitions are saved. */
const budget = { callsPerRetry: 10, retriesMax: 10 } as const;

/**
 * The budget for second calls.
 *
 * If every call fails, repeating each of them would double the load on a failing registry. Ten calls pay for one
 * repetition, so a call is repeated after an occasional broken connection, but hardly ever during an outage.
 */
export class RetryBudget {
  // In calls, because tenths do not add up to one.
  #savedCalls: number = budget.retriesMax * budget.callsPerRetry;

  /** Pays for a part of a repetition, with each first call. */
  earn(): void {
    this.#savedCalls = Math.min(budget.retriesMax * budget.callsPerRetry, this.#savedCalls + 1);
  }

  /** Takes one repetition from the budget; false if none is left. */
  spend(): boolean {
    if (this.#savedCalls < budget.callsPerRetry) return false;
    this.#savedCalls -= budget.callsPerRetry;
    return true;
  }
}
