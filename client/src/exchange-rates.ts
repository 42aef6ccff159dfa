import type { Decimal } from './exact-json.ts';

/** The euro reference rates of one day (interface 2.3). */
export type FxSnapshot = {
  /** The date of the publication. */
  readonly date: string;
  readonly base: 'EUR';
  /** Units of the currency per 1 EUR, by ISO 4217 code, in alphabetical order. */
  readonly rates: Readonly<Record<string, Decimal>>;
};

/** The rates of some currencies in a range of dates, the oldest first. */
export type FxRange = {
  readonly base: 'EUR';
  readonly from: string;
  readonly to: string;
  /** The dates of the publications in the range. */
  readonly dates: readonly string[];
  /** One value for each date; null if the publication has no rate of the currency. */
  readonly rates: Readonly<Record<string, readonly (Decimal | null)[]>>;
};

export type FxRangeQuery = {
  readonly from: string;
  readonly to: string;
  /** 1 to 10 ISO 4217 codes, in any letter case. */
  readonly currencies: readonly string[];
};

/** The dates with stored data, the oldest first. */
export type DateList = { readonly dates: readonly string[]; readonly count: number };

/** A range of dates, both ends included. Without `from` or `to` it is open at that end. */
export type DateSpan = { readonly from?: string | undefined; readonly to?: string | undefined };
