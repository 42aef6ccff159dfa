import type { RateChange } from '../wire.ts';

const fieldNames: Readonly<Record<string, string>> = {
  standard: 'Standard rate',
  super_reduced: 'Super-reduced rate',
  parking: 'Parking rate',
};

const ordinals = ['lowest', '2nd lowest', '3rd lowest'] as const;

/** `reduced[0]` as “Reduced rate (lowest)”. A reduced rate has no name, only a position in the list. */
export function fieldInWords(field: string): string {
  const position = /^reduced\[(\d+)\]$/.exec(field)?.[1];
  if (position === undefined) return fieldNames[field] ?? field;
  const at = Number(position);
  return `Reduced rate (${ordinals[at] ?? `${at + 1}th lowest`})`;
}

/** “lowered”, “raised”, “introduced” or “removed”. */
export function moveInWords(change: RateChange): string {
  if (change.old === null) return 'introduced';
  if (change.new === null) return 'removed';
  return change.new > change.old ? 'raised' : 'lowered';
}

export type Day = { readonly date: string; readonly changes: readonly RateChange[] };

/** Groups changes by snapshot date; their order stays the same. */
export function groupByDay(changes: readonly RateChange[]): readonly Day[] {
  const days = Map.groupBy(changes, ({ snapshotDate }) => snapshotDate);
  return [...days].map(([date, changes]) => ({ date, changes }));
}
