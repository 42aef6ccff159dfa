import type { Decimal } from './exact-json.ts';

/** A national bank whose publications the service has if its operator has enabled the bank. */
export type BankName = 'nbp' | 'cnb';

/** A publication of a national bank, as it was made: nothing is divided. */
export type BankSnapshot = {
  readonly bank: BankName;
  /** The date of the publication. */
  readonly date: string;
  /** The number of the table, which stands on a Polish invoice; null for a bank without numbers. */
  readonly table: string | null;
  /** The currency of the rates: `PLN` or `CZK`. */
  readonly quote: string;
  /** By ISO 4217 code: `rate` units of `quote` for `units` units of the currency. */
  readonly rates: Readonly<Record<string, { readonly units: number; readonly rate: Decimal }>>;
};

/** The publication of a national bank that the law of a country chooses for a tax point. */
export type BankTaxPointRates = BankSnapshot & {
  readonly rule: 'vat';
  /** As it was requested. */
  readonly taxPoint: string;
  /** The day of issue of the invoice; null if it was not given. */
  readonly issued: string | null;
  readonly basis: 'day' | 'instant';
  readonly country: 'PL' | 'CZ';
  /** The law that says so. */
  readonly legalBasis: string;
  /** The first day on which that law holds; null if it is not known. */
  readonly inForceSince: string | null;
};

/** The rule of a country for a tax point, with the publication of its national bank. */
export type BankTaxPointRule =
  | {
      readonly country: 'PL';
      readonly bank: 'nbp';
      /** The day of issue of the invoice: if it is before the tax point, it decides. */
      readonly issued?: string | undefined;
    }
  | { readonly country: 'CZ'; readonly bank: 'cnb'; readonly issued?: undefined };
