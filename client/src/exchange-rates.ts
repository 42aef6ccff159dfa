import type { Decimal } from './exact-json.ts';

/** The euro reference rates of one day (interface 2.3). */
export type FxSnapshot = {
  /** The day of the publication. */
  readonly date: string;
  readonly base: 'EUR';
  /** Units of the currency for 1 EUR, by ISO 4217 code, in alphabetical order. */
  readonly rates: Readonly<Record<string, Decimal>>;
};

/** Some currencies over some time, the oldest first. */
export type FxRange = {
  readonly base: 'EUR';
  readonly from: string;
  readonly to: string;
  /** The publications in between. */
  readonly dates: readonly string[];
  /** One value for each date; null where the currency was not quoted. */
  readonly rates: Readonly<Record<string, readonly (Decimal | null)[]>>;
};

export type FxRangeQuery = {
  readonly from: string;
  readonly to: string;
  /** 1 to 10 ISO 4217 codes. */
  readonly currencies: readonly string[];
};

/** The dates that there are, the oldest first. */
export type DateList = { readonly dates: readonly string[]; readonly count: number };

/** Both ends included; an end that is left out is open. */
export type DateSpan = { readonly from?: string | undefined; readonly to?: string | undefined };
