import type { CategoryRow } from './category-row.ts';

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
  /** Whether rows without a code of either kind are included (rule G5). */
  readonly withUncoded: boolean;
};

/** A row of a country, and how it matches the request. */
export type MatchedRow = CategoryRow & {
  readonly country: string;
  /** The row's longest matching code; null if no code was requested, and for a row without a code. */
  readonly matched: string | null;
  /** Whether the row's codes contain the whole requested code; null if `matched` is. */
  readonly covers: 'whole' | 'part' | null;
  /** Whether more than the match decides if the row applies (rule G5). */
  readonly conditional: boolean;
  /** The id of the erratum that concerns the row; null for none (rule X7). */
  readonly erratum: string | null;
};
