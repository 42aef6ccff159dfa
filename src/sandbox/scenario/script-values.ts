import { count, orNull, type Shape, value } from './shape.ts';

/** Shapes that several parts of a script use. */

export const latencyMs = count(0, 600_000);

/** The number of answers after which a fault heals. */
export const times = orNull(count(1, 1_000_000), ' for ever');

/** One of the known registry codes; `GR` is read as `EL`. */
export function memberState(expected: string, known: readonly string[]): Shape<string> {
  return value(expected, (given) => known.find((code) => code === (given === 'GR' ? 'EL' : given)));
}
