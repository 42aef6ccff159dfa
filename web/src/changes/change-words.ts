import { rateKinds, rateName } from '../rates/rate-words.ts';
import type { RateChange } from '../wire.ts';

/** `reduced[1]` as “Second reduced rate”. */
export function fieldInWords(field: string): string {
  const [, kind = '', at = '0'] = /^(\w+)(?:\[(\d+)\])?$/.exec(field) ?? [];
  const known = rateKinds.find((one) => one === kind);
  return known === undefined ? field : rateName(known, Number(at));
}

/** “lowered”, “raised”, “introduced” or “removed”. */
export function moveInWords(change: RateChange): string {
  if (change.old === null) return 'introduced';
  if (change.new === null) return 'removed';
  return change.new > change.old ? 'raised' : 'lowered';
}

export type Day = { readonly date: string; readonly changes: readonly RateChange[] };

/** Groups changes by day; their order stays the same. */
export function groupByDay(changes: readonly RateChange[]): readonly Day[] {
  const days = Map.groupBy(changes, ({ snapshotDate }) => snapshotDate);
  return [...days].map(([date, changes]) => ({ date, changes }));
}
