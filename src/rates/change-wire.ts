import { jsonNumber } from '../platform/values/exact-json.ts';
import type { RateChange } from './diff.ts';

/**
 * Prints rate changes as the list in `/changes` and in the `rates.changed` event (interface 2.2): byte for
 * byte the same text in both (contract C28).
 */
export function printChanges(changes: readonly RateChange[]): string {
  return JSON.stringify(changes.map(toWire));
}

function toWire(change: RateChange): Record<string, unknown> {
  return {
    id: change.id,
    snapshotDate: change.snapshotDate,
    country: change.country,
    field: change.field,
    old: jsonNumber(change.old),
    new: jsonNumber(change.new),
    detectedAt: change.detectedAt,
  };
}
