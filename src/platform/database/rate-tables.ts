/** The tables of VAT rates; see `Tables` for the forms of values. */
export interface RateTables {
  rate_snapshots: {
    version: string;
    /** `job`: part of the chain that the change log describes. `backfill`: only for requests of its date. */
    origin: 'job' | 'backfill';
    /** The body of `/rates/<version>`, made once; the numbers in it are the stored rates. */
    body: string;
    /** The latest start of validity of the TEDB records that the body was made of; null if it is not known. */
    situation_date: string | null;
    input_digest: string;
    stored_at: string;
  };
  rate_changes: {
    id: string;
    snapshot_date: string;
    country: string;
    field: string;
    /** Canonical decimal; null if there was no such rate. */
    old: string | null;
    new: string | null;
    detected_at: string;
  };
  /** The rows of one country by goods category. Their id is made from their content, so days without changes share them. */
  rate_category_sets: {
    id: string;
    country: string;
    /** JSON: a list of rows in normal form. */
    rows: string;
  };
  /** The sets of each snapshot; a snapshot that was published before goods categories were kept has no row here. */
  rate_categories: {
    version: string;
    /** JSON: the id of the set of each country, by country code. */
    sets: string;
    /** The version that it was compared with when it was published; null if it was compared with none. */
    compared_with: string | null;
  };
  /** The known errors of TEDB that operators have added; those of the program are in its own file (rule X1). */
  rate_errata: {
    id: string;
    country: string;
    /** As in a change row, or `reduced` for the whole list. */
    field: string;
    first_day: string;
    /** Included; null if it is not known yet. */
    last_day: string | null;
    /** JSON: a canonical decimal, null, or a list of decimals. */
    source: string;
    law: string;
    legal_basis: string;
    reference: string | null;
    added_at: string;
  };
  /** The errata of goods that operators have added; those of the program are in its own file (rule X7). */
  goods_errata: {
    id: string;
    country: string;
    category: string;
    /** `cn` or `cpa`. */
    code_kind: string;
    /** JSON: a list of codes. */
    codes: string;
    first_day: string;
    /** Included; null if it is not known yet. */
    last_day: string | null;
    /** JSON: `{"treatment","rate"}`, in `source` also null for no row. */
    source: string;
    law: string;
    condition: string | null;
    legal_basis: string;
    reference: string | null;
    added_at: string;
  };
  /** The errata, of operators and of the program, that a later answer of TEDB no longer has (rule X6). */
  rate_errata_fixed: {
    id: string;
    /** The version of that answer. */
    version: string;
  };
}
