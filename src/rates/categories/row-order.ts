import { compareDecimals } from '../../platform/values/decimal.ts';
import { type CategoryRow, rateKinds } from './category-row.ts';
import type { MatchedRow } from './matched-row.ts';

/** A row of an answer, and its place in the order of rows (rule G4). */
export type PlacedRow = {
  readonly row: MatchedRow;
  /** 0 for a row in force, 1 for one that is not, 2 for imports, 3 for a row without a code. */
  readonly place: 0 | 1 | 2 | 3;
  /** The number of digits that its codes and the requested ones have in common. */
  readonly length: number;
};

/** Compares by place, digits in common (most first), country, category, kind and rate. */
export function comparePlaced(a: PlacedRow, b: PlacedRow): number {
  return (
    a.place - b.place ||
    b.length - a.length ||
    compareTexts(a.row.country, b.row.country) ||
    compareTexts(a.row.category, b.row.category) ||
    placeOfKind(a.row) - placeOfKind(b.row) ||
    compareRates(a.row.rate, b.row.rate)
  );
}

/** Rows without a kind of rate come last. */
function placeOfKind({ kind }: CategoryRow): number {
  return kind === null ? rateKinds.length : rateKinds.indexOf(kind);
}

/** Rows without a rate come last. */
function compareRates(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareDecimals(a, b);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
