import type { Decimal } from './exact-json.ts';

/** How a supply is taxed. `zero` is a rate of 0 with the right to deduct; `exempted` may be one, if `deduction` is null. */
export type RateTreatment = 'rate' | 'zero' | 'exempted' | 'out_of_scope' | 'not_applicable';

/** A statement of TEDB about a category of goods or services. Its comment has the conditions: read it. */
export type CategoryRow = {
  /** ISO 3166-1 alpha-2; Greece is `GR`. */
  readonly country: string;
  readonly category: string;
  readonly description: string;
  /** Null for a treatment without a kind of rate. */
  readonly kind: 'standard' | 'reduced' | 'super_reduced' | 'parking' | null;
  readonly treatment: RateTreatment;
  /** Whether input tax may be deducted; null if TEDB does not say, and it may be a zero rate. */
  readonly deduction: boolean | null;
  /** In percentage points; null for a treatment without a rate. */
  readonly rate: Decimal | null;
  /** Digits without blanks. A code stands for all codes that begin with it. */
  readonly cn_codes: readonly string[];
  readonly cpa_codes: readonly string[];
  /** The longest code of the row that matches the requested one; null if none was requested, or the row has none. */
  readonly matched: string | null;
  /** Whether the row's codes contain the whole requested code; null if `matched` is. */
  readonly covers: 'whole' | 'part' | null;
  /** Plain text with line breaks. */
  readonly comment: string | null;
  /** In the words of TEDB; null for a national row. */
  readonly territory: string | null;
  /** `import` for a row that is about imports only. */
  readonly scope: 'import' | null;
  /** The start of the record that the row is from; not the date of a change. */
  readonly situation_on: string;
};

/** At least one of `country`, `category`, `cn` and `cpa` is needed; rows meet all that are given. */
export type CategoryQuery = {
  /** The date of a snapshot; by default the latest. */
  readonly date?: string | undefined;
  /** A Member State, in upper or lower case; `EL` is read as `GR`. */
  readonly country?: string | undefined;
  /** An identifier of `categoryList()`, in any letter case. */
  readonly category?: string | undefined;
  /** A code of the Combined Nomenclature with 2, 4, 6, 8 or 10 digits: `4901 10 00`. */
  readonly cn?: string | undefined;
  /** A CPA code: `58.11.3`. */
  readonly cpa?: string | undefined;
  /** Adds rows for territories with rates of their own. */
  readonly territories?: 'include' | undefined;
  /** Adds the rows that have no code of the kind of `cn` or `cpa`, at the end of the list. */
  readonly uncoded?: 'include' | undefined;
  /** `nextCursor` of an earlier page. */
  readonly cursor?: string | undefined;
  /** By default 200, at most 500. */
  readonly limit?: number | undefined;
};

/**
 * A page of rows: the longest match first, then by country, category, kind and rate. `ambiguous`, `uncoded` and `standard`
 * are about all pages.
 */
export type CategoryRows = {
  readonly version: string;
  readonly source: string;
  readonly rows: readonly CategoryRow[];
  readonly count: number;
  /**
   * True if the rows of one country differ in treatment or rate, or cover only a part of the code: only their comments say
   * which rate applies. False says that the rows of TEDB agree, not that no other rate exists.
   */
  readonly ambiguous: boolean;
  /**
   * The national rows without a code of the requested kind, which may be about the goods as well: their number and their
   * different rates, for each requested country that has any. Null if no code was requested.
   */
  readonly uncoded: Readonly<
    Record<string, { readonly rows: number; readonly rates: readonly Decimal[] }>
  > | null;
  /** The standard rate of each requested country: the rate if no other applies. A missing row does not say so. */
  readonly standard: Readonly<Record<string, Decimal>>;
  readonly nextCursor: string | null;
};

/** A category of a country whose rates, treatments, codes or territories changed. */
export type CategoryChange = {
  readonly country: string;
  readonly category: string;
  /** All rows before; `matched` is null. */
  readonly before: readonly CategoryRow[];
  readonly after: readonly CategoryRow[];
};

/** The changes of a snapshot date, by country and category. */
export type CategoryChanges = {
  readonly snapshotDate: string;
  readonly changes: readonly CategoryChange[];
  readonly count: number;
};

/** The categories of the latest snapshot. */
export type CategoryList = {
  readonly version: string;
  readonly source: string;
  readonly categories: readonly {
    readonly category: string;
    readonly description: string;
    /** The number of countries with a rate below their standard rate. */
    readonly countries: number;
  }[];
  readonly count: number;
};

/** The dates of the stored VAT rates. */
export type RateDates = {
  readonly dates: readonly string[];
  readonly count: number;
  /** The oldest date with rows by goods category; null if there is none. */
  readonly categoriesFrom: string | null;
};
