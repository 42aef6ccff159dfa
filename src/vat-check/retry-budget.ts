/** One in ten calls may be repeated; up to 10 unused repetitions are saved. */
const budget = { callsPerRetry: 10, retriesMax: 10 } as const;

/**
 * The budget for second calls.
 *
 * If every call fails, repeating each of them would double the load of a registry in trouble. Only calls fill the
 * budget, so an occasional broken connection is repeated, and an outage is not.
 */
export class RetryBudget {
  // In calls, because tenths do not add up to one.
  #savedCalls: number = budget.retriesMax * budget.callsPerRetry;

  earn(): void {
    this.#savedCalls = Math.min(budget.retriesMax * budget.callsPerRetry, this.#savedCalls + 1);
  }

  /** Takes one retry; false when there is none left. */
  spend(): boolean {
    if (this.#savedCalls < budget.callsPerRetry) return false;
    this.#savedCalls -= budget.callsPerRetry;
    return true;
  }
}
