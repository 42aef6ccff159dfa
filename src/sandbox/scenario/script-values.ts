import { count, orNull, type Shape, value } from './shape.ts';

/** Values that several parts of a script have in common. */

export const latencyMs = count(0, 600_000);

/** Answers after which a fault heals. */
export const times = orNull(count(1, 1_000_000), ' for always');

/** A registry code out of those known; `GR` is read as `EL`. */
export function memberState(expected: string, known: readonly string[]): Shape<string> {
  return value(expected, (given) => known.find((code) => code === (given === 'GR' ? 'EL' : given)));
}
