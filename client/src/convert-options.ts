import type { ConversionOptions } from './conversion.ts';
import type { BankTaxPointRule, FxRule, TaxPointRule } from './legal-rates.ts';
import type { CallOptions } from './transport.ts';

export type FxOptions = CallOptions & {
  /** For a day without a publication: `none` throws the 404, `previous` returns the publication before it. */
  readonly fallBack?: 'none' | 'previous' | undefined;
};

/**
 * The publication whose rates are used: that of `date`, the one that a law chooses (`rule`), or by default the newest.
 */
export type ConvertOptions = ConversionOptions &
  (
    | (FxOptions & { readonly date?: string | undefined; readonly rule?: undefined })
    | (CallOptions & FxRule & { readonly date?: undefined; readonly fallBack?: undefined })
  );

/** The rule for a tax point, with the rates of the ECB, and with those of a national bank. */
export type VatOptions = CallOptions & TaxPointRule;
export type BankVatOptions = CallOptions & BankTaxPointRule;
