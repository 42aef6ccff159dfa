import type { Direction } from '../parts/direction.ts';
import type { RateEntry } from '../wire.ts';
import { type RateKind, rateKinds, valuesOf } from './rate-words.ts';

export const columns = ['country', ...rateKinds, 'currency'] as const;
export type Column = (typeof columns)[number];

export type Order = { readonly column: Column; readonly direction: Direction };
export type Row = { readonly code: string; readonly entry: RateEntry };

/** Reads `standard` (ascending) or `-standard` (descending); an unknown column is `country`. */
export function readOrder(text: string): Order {
  const name = text.replace(/^-/, '');
  const column = columns.find((known) => known === name) ?? 'country';
  return { column, direction: text.startsWith('-') ? 'desc' : 'asc' };
}

/** The text that `readOrder` reads; undefined for the default order. */
export function printOrder({ column, direction }: Order): string | undefined {
  if (column === 'country' && direction === 'asc') return undefined;
  return direction === 'desc' ? `-${column}` : column;
}

/** Sorts rows. Countries without such a rate are last in both directions; equal rows are sorted by name. */
export function sortRows(rows: readonly Row[], { column, direction }: Order): readonly Row[] {
  const sign = direction === 'asc' ? 1 : -1;
  const byName = (a: Row, b: Row): number => a.entry.country.localeCompare(b.entry.country, 'en');
  if (column === 'country') return rows.toSorted((a, b) => sign * byName(a, b));
  if (column === 'currency') {
    return rows.toSorted(
      (a, b) => sign * a.entry.currency.localeCompare(b.entry.currency) || byName(a, b),
    );
  }
  return rows.toSorted((a, b) => compareValues(a.entry, b.entry, column, sign) || byName(a, b));
}

/** Compares the lowest values of two countries, then the next ones. */
function compareValues(a: RateEntry, b: RateEntry, kind: RateKind, sign: number): number {
  const [ours, theirs] = [valuesOf(a, kind), valuesOf(b, kind)];
  if (ours.length === 0 || theirs.length === 0) return theirs.length - ours.length;
  for (const [at, value] of ours.entries()) {
    const other = theirs[at];
    if (other === undefined) return sign;
    if (value !== other) return sign * (value - other);
  }
  return sign * (ours.length - theirs.length);
}
