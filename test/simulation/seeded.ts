import { createRandom } from '../support/random.ts';

/** Random numbers from a seed. Seeds are scrambled first, so that 1, 2 and 3 give unrelated numbers. */
export class Seeded {
  /** A number from 0 to 1, without 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = createRandom(Math.imul(seed, 0x9e3779b1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<T>(items: readonly [T, ...T[]]): T;
  pick<T>(items: readonly T[]): T | undefined;
  pick<T>(items: readonly T[]): T | undefined {
    return items[this.integer(0, items.length - 1)];
  }
}
