/** One in ten calls may be repeated, and so many repetitions be saved up. */
const budget = { callsPerRetry: 10, retriesMax: 10 } as const;

/**
 * What may be spent on second calls.
 *
 * When the registry is in trouble, every call fails and every retry doubles the load; a budget that only
 * calls fill lets the occasional broken connection through and no storm.
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
