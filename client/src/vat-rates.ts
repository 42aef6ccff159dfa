import type { Decimal } from './exact-json.ts';

/** The VAT rates of a day (interface 2.1). */
export type RateSnapshot = {
  /** The date that the rates apply to. */
  readonly version: string;
  readonly source: string;
  /** By ISO 3166-1 alpha-2 code: `GR` for Greece. A country without a standard rate is missing. */
  readonly rates: Readonly<Record<string, RateEntry>>;
};

/** The rates of a country, in percentage points: `'25'` is 25 %. */
export type RateEntry = {
  readonly country: string;
  /** ISO 4217. */
  readonly currency: string;
  /** The URL of a picture. */
  readonly flag: string;
  readonly standard: Decimal | null;
  /** Ascending; may be empty. */
  readonly reduced: readonly Decimal[];
  readonly super_reduced: Decimal | null;
  readonly parking: Decimal | null;
};

/** One rate that moved between two snapshots (interface 2.2). */
export type RateChange = {
  /** The same in every answer and every webhook. */
  readonly id: string;
  readonly snapshotDate: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** `standard`, `super_reduced`, `parking`, or `reduced[0]` and so on: a place in the ascending list. */
  readonly field: string;
  /** Null: there was no such rate. */
  readonly old: Decimal | null;
  /** Null: there is no such rate any more. */
  readonly new: Decimal | null;
  /** An ISO instant. */
  readonly detectedAt: string;
};

export type ChangeQuery = {
  /** Snapshot dates from here on. */
  readonly since?: string | undefined;
  /** Two letters, in any case. */
  readonly country?: string | undefined;
  /** 50 without it, and never more than 200. */
  readonly limit?: number | undefined;
};

/** The newest rows that were asked for, the newest first. */
export type ChangeList = {
  readonly changes: readonly RateChange[];
  readonly count: number;
  readonly limit: number;
};

/** All rows of one snapshot date, by country and field. */
export type DatedChanges = {
  readonly snapshotDate: string;
  readonly changes: readonly RateChange[];
  readonly count: number;
};
