import type { Decimal } from './exact-json.ts';

/** The VAT rates of one date (interface 2.1). */
export type RateSnapshot = {
  /** The date that the rates apply to. */
  readonly version: string;
  readonly source: string;
  /** By ISO 3166-1 alpha-2 code; Greece is `GR`. A country without a standard rate is missing. */
  readonly rates: Readonly<Record<string, RateEntry>>;
};

/** The rates of a country, in percentage points: `'25'` is 25 %. */
export type RateEntry = {
  readonly country: string;
  /** ISO 4217. */
  readonly currency: string;
  /** The URL of an image. */
  readonly flag: string;
  readonly standard: Decimal | null;
  /** Ascending; may be empty. */
  readonly reduced: readonly Decimal[];
  readonly super_reduced: Decimal | null;
  readonly parking: Decimal | null;
};

/** One rate that changed between two snapshots (interface 2.2). */
export type RateChange = {
  /** The same id in all answers and webhooks. */
  readonly id: string;
  readonly snapshotDate: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** `standard`, `super_reduced`, `parking`, or `reduced[0]` and so on: a position in the ascending list. */
  readonly field: string;
  /** Null if there was no such rate before. */
  readonly old: Decimal | null;
  /** Null if there is no such rate any more. */
  readonly new: Decimal | null;
  /** An ISO instant. */
  readonly detectedAt: string;
};

export type ChangeQuery = {
  /** The first snapshot date. */
  readonly since?: string | undefined;
  /** Two letters, in upper or lower case. */
  readonly country?: string | undefined;
  /** By default 50, at most 200. */
  readonly limit?: number | undefined;
};

/** The rate changes that match a query, the newest first. */
export type ChangeList = {
  readonly changes: readonly RateChange[];
  readonly count: number;
  readonly limit: number;
};

/** All rate changes of one snapshot date, ordered by country and field. */
export type DatedChanges = {
  readonly snapshotDate: string;
  readonly changes: readonly RateChange[];
  readonly count: number;
};
