import { createRandom } from './random.ts';

/** Dice with the same results in every run with the same seed. */
export class Dice {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = createRandom(seed);
  }

  /** A whole number from 0 up to, and without, `end`. */
  below(end: number): number {
    return Math.floor(this.#next() * end);
  }

  /** True in this share of all throws. */
  happens(share: number): boolean {
    return this.#next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}
