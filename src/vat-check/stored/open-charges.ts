import { LRUCache } from 'lru-cache';

/** The most charges that are kept; the oldest are forgotten. */
const keptMax = 10_000;

/**
 * The charges of this process for which nothing is stored yet (rule C38).
 *
 * A charge is counted in memory, in the transaction that stores what it is for. If that is repeated, or fails and a later
 * request does the same, what was charged before is not charged again.
 */
export class OpenCharges {
  readonly #counts = new LRUCache<string, number>({ max: keptMax });

  /** Charges the part of `count` that was not charged under this name before; false, and charges nothing, if `make` is. */
  async charge(
    name: string,
    count: number,
    make: (rest: number) => void | boolean | Promise<void | boolean>,
  ): Promise<boolean> {
    const before = this.#counts.get(name) ?? 0;
    if (count <= before) return true;
    if ((await make(count - before)) === false) return false;
    this.#counts.set(name, count);
    return true;
  }

  /** Ends a name: what it was charged for is stored, or will not be. */
  end(name: string): void {
    this.#counts.delete(name);
  }
}
