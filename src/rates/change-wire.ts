import { toWire } from '../platform/fields/to-wire.ts';
import { rateChanges } from './definitions.ts';
import type { RateChange } from './diff.ts';

/**
 * Prints rate changes as the list in `/changes` and in the `rates.changed` event (interface 2.2): byte for
 * byte the same text in both (contract C28).
 */
export function printChanges(changes: readonly RateChange[]): string {
  return JSON.stringify(toWire(rateChanges, changes));
}
