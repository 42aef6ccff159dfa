import { compareDecimals } from '../../platform/decimal.ts';
import { type CategoryRow, type CountryRows, rateKinds } from './category-row.ts';

/** The rows that a caller asks for; undefined for no condition. A row has to meet all conditions. */
export type RowFilter = {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string | undefined;
  /** TEDB's identifier, upper case. */
  readonly category: string | undefined;
  /** Digits only. */
  readonly cn: string | undefined;
  /** Digits only. */
  readonly cpa: string | undefined;
  /** Whether rows that are for a territory are included (rule G7). */
  readonly withTerritories: boolean;
};

/** A row of a country, and its longest code that matches the requested one; null if no code was requested. */
export type MatchedRow = CategoryRow & {
  readonly country: string;
  readonly matched: string | null;
};

export type Matches = {
  /** Longest match first, then by country, category, kind and rate (rule G4). */
  readonly rows: readonly MatchedRow[];
  /** Whether rows of one country match equally long with different rates or treatments (rule G5). */
  readonly ambiguous: boolean;
};

/** A match, and the number of digits that the code and the requested code have in common. */
type Match = { readonly row: MatchedRow; readonly length: number };

/** Finds the rows that match. None of them is chosen: only the comment says which one applies (rule G5). */
export function matchRows(countries: readonly CountryRows[], filter: RowFilter): Matches {
  const matches = countries
    .filter(({ country }) => filter.country === undefined || filter.country === country)
    .flatMap(({ country, rows }) => rows.flatMap((row) => matchRow(country, row, filter)));
  return {
    rows: matches.toSorted(compareMatches).map(({ row }) => row),
    ambiguous: isAmbiguous(matches),
  };
}

function matchRow(country: string, row: CategoryRow, filter: RowFilter): readonly Match[] {
  if (row.territory !== null && !filter.withTerritories) return [];
  if (filter.category !== undefined && row.category.toUpperCase() !== filter.category) return [];
  const cn = filter.cn === undefined ? undefined : findCode(row.cnCodes, filter.cn);
  const cpa = filter.cpa === undefined ? undefined : findCode(row.cpaCodes, filter.cpa);
  if (filter.cn !== undefined && cn === undefined) return [];
  if (filter.cpa !== undefined && cpa === undefined) return [];
  const found = cn ?? cpa;
  return [
    {
      row: { ...row, country, matched: found?.code ?? null },
      length: (cn?.length ?? 0) + (cpa?.length ?? 0),
    },
  ];
}

/**
 * The longest code that begins with the requested one, or that it begins with. Codes are compared by their digits.
 */
function findCode(
  codes: readonly string[],
  requested: string,
): { readonly code: string; readonly length: number } | undefined {
  let best: { readonly code: string; readonly digits: string } | undefined;
  for (const code of codes) {
    const digits = code.replaceAll('.', '');
    if (!digits.startsWith(requested) && !requested.startsWith(digits)) continue;
    if (best === undefined || digits.length > best.digits.length) best = { code, digits };
  }
  if (best === undefined) return undefined;
  return { code: best.code, length: Math.min(best.digits.length, requested.length) };
}

function compareMatches(a: Match, b: Match): number {
  return (
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

function isAmbiguous(matches: readonly Match[]): boolean {
  const first = new Map<string, string>();
  return matches.some(({ row, length }) => {
    const place = `${row.country} ${length}`;
    const rate = `${row.treatment} ${row.rate}`;
    const known = first.get(place);
    if (known === undefined) first.set(place, rate);
    return known !== undefined && known !== rate;
  });
}
