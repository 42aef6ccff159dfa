import type { Direction } from '../parts/direction.ts';
import type { RateEntry } from '../wire.ts';
import { type RateKind, rateKinds, valuesOf } from './rate-words.ts';

export const columns = ['country', ...rateKinds, 'currency'] as const;
export type Column = (typeof columns)[number];

export type Order = { readonly column: Column; readonly direction: Direction };
export type Row = { readonly code: string; readonly entry: RateEntry };

/** Reads `standard` or `-standard`; by country where it says nothing. */
export function readOrder(text: string | null): Order {
  const name = text?.replace(/^-/, '') ?? '';
  const column = columns.find((known) => known === name) ?? 'country';
  return { column, direction: text?.startsWith('-') === true ? 'desc' : 'asc' };
}

export function printOrder({ column, direction }: Order): string | null {
  if (column === 'country' && direction === 'asc') return null;
  return direction === 'desc' ? `-${column}` : column;
}

/** Sorts; countries without such a rate come last in either direction, equals by name. */
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

/** By the lowest value, then by the next. */
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
