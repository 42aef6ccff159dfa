import { compareDecimals } from '../../platform/values/decimal.ts';
import { type CategoryRow, type CountryRows, printRate, rateKinds } from './category-row.ts';
import { type CodeMatch, matchCodes } from './match-codes.ts';

/** The rows that a caller asks for; undefined for no condition. A row has to meet all conditions. */
export type RowFilter = {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string | undefined;
  /** TEDB's identifier, upper case. */
  readonly category: string | undefined;
  /** Digits only. */
  readonly cn: string | undefined;
  /** Digits only, or the section `F`. */
  readonly cpa: string | undefined;
  /** Whether rows that are for a territory are included (rule G7). */
  readonly withTerritories: boolean;
  /** Whether rows without a code of the requested kind are included (rule G5). */
  readonly withUncoded: boolean;
};

/** A row of a country, and how its codes match the requested one. */
export type MatchedRow = CategoryRow & {
  readonly country: string;
  /** The row's longest matching code; null if no code was requested, and for a row without a code of its kind. */
  readonly matched: string | null;
  /** Whether the row's codes contain the whole requested code; null if `matched` is. */
  readonly covers: 'whole' | 'part' | null;
};

/** The rows of a country that have no code of the requested kind, so that the request may be about them (rule G5). */
export type Uncoded = {
  readonly rows: number;
  /** The different rates in them, ascending; 0 for a zero rate. */
  readonly rates: readonly string[];
};

export type Matches = {
  /** Longest match first, then by country, category, kind and rate; imports and rows without a code last (rule G4). */
  readonly rows: readonly MatchedRow[];
  /** Whether rows of one country differ in treatment or rate, or cover only a part of the requested code (rule G5). */
  readonly ambiguous: boolean;
  /** By country code, for each country that has such rows; undefined if no code was requested. */
  readonly uncoded: Readonly<Record<string, Uncoded>> | undefined;
};

/** A match, and the number of digits that the code and the requested code have in common; -1 for a row without a code. */
type Match = { readonly row: MatchedRow; readonly length: number };

/** Finds the rows that match. None of them is chosen: only the comment says which one applies (rule G5). */
export function matchRows(countries: readonly CountryRows[], filter: RowFilter): Matches {
  const matches: Match[] = [];
  const uncoded: Record<string, Uncoded> = {};
  for (const { country, rows } of countries) {
    if (filter.country !== undefined && filter.country !== country) continue;
    const own = rows.filter((row) => isCandidate(row, filter));
    matches.push(...matchCountry(country, own, filter));
    const without = own.filter((row) => row.territory === null && isUncoded(row, filter));
    if (without.length > 0) uncoded[country] = summarise(without);
    if (filter.withUncoded) matches.push(...without.map((row) => withoutCode(country, row)));
  }
  const isByCode = filter.cn !== undefined || filter.cpa !== undefined;
  return {
    rows: matches.toSorted(compareMatches).map(({ row }) => row),
    ambiguous: isAmbiguous(matches),
    uncoded: isByCode ? uncoded : undefined,
  };
}

/** Whether a row meets the conditions that are not about codes. */
function isCandidate(row: CategoryRow, { category, withTerritories }: RowFilter): boolean {
  return (
    (row.territory === null || withTerritories) &&
    (category === undefined || row.category.toUpperCase() === category)
  );
}

function matchCountry(country: string, rows: readonly CategoryRow[], filter: RowFilter): Match[] {
  const { cn, cpa } = filter;
  if (cn === undefined && cpa === undefined) {
    return rows.map((row) => ({
      row: { ...row, country, matched: null, covers: null },
      length: 0,
    }));
  }
  const cpaMatches = cpa === undefined ? undefined : matchCpa(rows, cpa);
  return rows.flatMap((row, at) => {
    const found: CodeMatch[] = [];
    for (const match of [
      ...(cn === undefined ? [] : [matchCodes(row.cnCodes, cn)]),
      ...(cpaMatches === undefined ? [] : [cpaMatches[at]]),
    ]) {
      if (match === undefined) return [];
      found.push(match);
    }
    const covers = found.every(({ isWhole }) => isWhole) ? 'whole' : 'part';
    return [
      {
        row: { ...row, country, matched: found[0]?.code ?? null, covers },
        length: found.reduce((sum, { length }) => sum + length, 0),
      },
    ];
  });
}

/**
 * Matches the rows of a country with a CPA code. Versions of the CPA differ below the class (55.10.10, 55.10.00), so if
 * no row matches, those that share its first four digits do.
 */
function matchCpa(rows: readonly CategoryRow[], cpa: string): readonly (CodeMatch | undefined)[] {
  const exact = rows.map(({ cpaCodes }) => matchCodes(cpaCodes, cpa));
  if (cpa.length <= 4 || exact.some((match) => match !== undefined)) return exact;
  return rows.map(({ cpaCodes }) => {
    const match = matchCodes(cpaCodes, cpa.slice(0, 4));
    return match === undefined ? undefined : { ...match, isWhole: false };
  });
}

/** Whether the row does not match only because it has no code of a requested kind. */
function isUncoded({ cnCodes, cpaCodes }: CategoryRow, { cn, cpa }: RowFilter): boolean {
  const kinds = [
    ...(cn === undefined ? [] : [{ codes: cnCodes, requested: cn }]),
    ...(cpa === undefined ? [] : [{ codes: cpaCodes, requested: cpa }]),
  ];
  return (
    kinds.some(({ codes }) => codes.length === 0) &&
    kinds.every(
      ({ codes, requested }) => codes.length === 0 || matchCodes(codes, requested) !== undefined,
    )
  );
}

function summarise(rows: readonly CategoryRow[]): Uncoded {
  const rates = rows.flatMap(({ rate }) => (rate === null ? [] : [rate]));
  return { rows: rows.length, rates: [...new Set(rates)].sort(compareDecimals) };
}

function withoutCode(country: string, row: CategoryRow): Match {
  return { row: { ...row, country, matched: null, covers: null }, length: -1 };
}

function compareMatches(a: Match, b: Match): number {
  return (
    placeOf(a) - placeOf(b) ||
    b.length - a.length ||
    compareTexts(a.row.country, b.row.country) ||
    compareTexts(a.row.category, b.row.category) ||
    placeOfKind(a.row) - placeOfKind(b.row) ||
    compareRates(a.row.rate, b.row.rate)
  );
}

/** Rows without a code follow all others, and rows for imports those for domestic supplies. */
function placeOf({ row, length }: Match): number {
  return (length < 0 ? 2 : 0) + (row.scope === null ? 0 : 1);
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

/** Rows for imports do not count: they are about another supply. */
function isAmbiguous(matches: readonly Match[]): boolean {
  const domestic = matches.flatMap(({ row }) => (row.scope === null ? [row] : []));
  return [...Map.groupBy(domestic, ({ country }) => country).values()].some((rows) => {
    const rates = new Set(rows.map(printRate));
    const ofWhole = new Set(rows.filter(({ covers }) => covers === 'whole').map(printRate));
    return (
      rates.size > 1 || rows.some((row) => row.covers === 'part' && !ofWhole.has(printRate(row)))
    );
  });
}
