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
  /** Whether more than the match decides if the row applies: its comment, a wide code, its days, or an erratum. */
  readonly conditional: boolean;
  /** The days that the comment says the row holds on, both included, null for an open side; null if it says none. */
  readonly inForce: { readonly from: string | null; readonly to: string | null } | null;
  /** The id of the known error of TEDB that concerns the row (`errata`); null for none. */
  readonly erratum: string | null;
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
  /** Adds the rows that have no code of either kind, at the end of the list. */
  readonly uncoded?: 'include' | undefined;
  /** `nextCursor` of an earlier page. */
  readonly cursor?: string | undefined;
  /** By default 200, at most 500. */
  readonly limit?: number | undefined;
};

/**
 * The answer of a country's rows to a question by code or category. Look at `kind` first: a match is a condition, and a missing row
 * is not a rate.
 */
export type RateVerdict =
  /** One rate for the whole code, without a condition; `rate` is null if the treatment has none. */
  | { readonly kind: 'one'; readonly rate: Decimal | null; readonly treatment: RateTreatment }
  /** One of these rates under a condition, which is in the comments of the rows; otherwise the standard rate. */
  | {
      readonly kind: 'depends';
      /** Ascending; 0 for a zero rate. With a known error of TEDB, the rate of the law is among them. */
      readonly rates: readonly Decimal[];
      readonly treatments: readonly RateTreatment[];
      /** Null if the snapshot has none. */
      readonly standard: Decimal | null;
    }
  /** No row. It is not the standard rate: the law, or one of the rows without codes, may say otherwise. */
  | {
      readonly kind: 'none';
      readonly standard: Decimal | null;
      /** The number of rows without codes. */
      readonly uncoded: number;
    };

/**
 * A page of rows: those in force first, then by digits in common with the code, country, category, kind and rate. All
 * fields but `rows`, `count` and `nextCursor` are about all pages.
 */
export type CategoryRows = {
  readonly version: string;
  readonly source: string;
  readonly rows: readonly CategoryRow[];
  readonly count: number;
  /**
   * True if it is open which rate applies in one of the countries. False says that TEDB reports one rate for the whole code
   * and attaches no condition. Null if no national row matches.
   */
  readonly ambiguous: boolean | null;
  /** By country, for each requested country; empty for a question without a code and a category. */
  readonly verdict: Readonly<Record<string, RateVerdict>>;
  /** The ids of the known errors of TEDB that the question is about; `errata({ kind: 'goods' })` has their law. */
  readonly errata: readonly string[];
  /**
   * The national rows without any code, which may be about the goods as well: their number and their different rates, for
   * each requested country that has any. Null if no code was requested.
   */
  readonly uncoded: Readonly<
    Record<string, { readonly rows: number; readonly rates: readonly Decimal[] }>
  > | null;
  /** The requested countries that report no code of the requested kind at all. Null if no code was requested. */
  readonly withoutCodes: readonly string[] | null;
  /** The standard rate of each requested country: the rate if no other applies. A missing row does not say so. */
  readonly standard: Readonly<Record<string, Decimal>>;
  readonly nextCursor: string | null;
};

/** A row of a change, which is without a question and without errata. */
export type ChangedRow = Omit<CategoryRow, 'conditional' | 'inForce' | 'erratum'>;

/** A category of a country whose rates, treatments, codes or territories changed. */
export type CategoryChange = {
  readonly country: string;
  readonly category: string;
  /** All rows before; `matched` is null. */
  readonly before: readonly ChangedRow[];
  readonly after: readonly ChangedRow[];
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
