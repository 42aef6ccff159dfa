import type { Decimal } from './exact-json.ts';

/** A rule for postcodes; both ends of a range are included. */
export type TerritoryPostcode = {
  readonly prefix?: string;
  readonly from?: string;
  readonly to?: string;
  readonly except?: readonly string[];
  /** The country whose post uses the code, if it is another one. */
  readonly country?: string;
  readonly place?: string;
  /** True if other places have the code as well. */
  readonly shared?: boolean;
};

/** A territory whose VAT treatment differs from that of its state, by the law of today. */
export type Territory = {
  readonly code: string;
  readonly name: string;
  readonly country: string;
  readonly alsoKnownAs: readonly string[];
  readonly vatTerritory: 'outside' | 'special rates' | 'part of another state' | 'goods only';
  /** The country as which it counts; null for none. */
  readonly treatAs: string | null;
  /** The rates of law. */
  readonly rates: {
    readonly tax: string;
    readonly standard: Decimal;
    /** All that hold there, ascending; null if they are not listed. */
    readonly reduced: readonly Decimal[] | null;
    /**
     * What holds there for goods at the parking rate of the state; null if it has none or it is not known. Undefined from a
     * service before 0.4.
     */
    readonly parking?: Decimal | null;
    /** The first day on which all of them hold, or the standard rate if `note` has the days of others; null if not known. */
    readonly since: string | null;
  } | null;
  /** Whose supplies the rates cover: with `seller established there` a customer's postcode does not decide. */
  readonly appliesTo: string | null;
  readonly note: string;
  readonly legalBasis: string;
  readonly postcodes: readonly TerritoryPostcode[];
  /** The rows of TEDB about it, beside the rates of law. */
  readonly tedbRates: readonly {
    readonly kind: string | null;
    readonly treatment: string;
    readonly rate: Decimal | null;
    readonly territory: string | null;
    readonly situation_on: string;
  }[];
};

export type TerritoryQuery = {
  /** A Member State (`EL` is `GR`), or a code of a territory: `IC`, `GP`, `ES-CN`. Others are an `InvalidInputError`. */
  readonly country?: string | undefined;
  /** A postcode of `country`. */
  readonly postcode?: string | undefined;
};

export type TerritoryList = {
  readonly territories: readonly Territory[];
  readonly count: number;
  /**
   * With a postcode, or a country that is a territory itself: false if several territories, or a territory and the rest of
   * the country, can be meant, or if the postcode does not have the form of those of the country. Then ask for the address.
   */
  readonly decided?: boolean;
};
