import type { TaxPointRates } from './api-types.ts';
import { InvalidArgumentError } from './errors.ts';
import { queryString } from './path.ts';

/** The law that chooses the publication, and what it has to know. */
export type FxRule =
  /** `period` is a quarter: `2023-Q4`. */
  | { readonly rule: 'oss'; readonly period: string }
  /** `period` is a month: `2023-12`. */
  | { readonly rule: 'ioss' | 'customs'; readonly period: string }
  | ((TaxPointRule | BankTaxPointRule) & {
      readonly rule: 'vat';
      /** A day, or an instant with `Z` or an offset: `2026-03-02T10:00:00+01:00`. */
      readonly taxPoint: string;
    });

/** The rule for a tax point. */
export type TaxPointRule = {
  /** A country whose law has a rule of its own, `CZ` only with `bank`. Without it the Directive decides. */
  readonly country?: NonNullable<TaxPointRates['country']> | undefined;
  /** The ECB, whose publications are used in any case. */
  readonly bank?: 'ecb' | undefined;
  /** The day of issue of the invoice, for a country whose rule needs it: if it is before the tax point, it decides. */
  readonly issued?: string | undefined;
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

/** Makes the path of a rule: `/fx/oss/2023-Q4`. Refuses texts of another form, which may name another route. */
export function rulePath(chosen: FxRule): string {
  switch (chosen.rule) {
    case 'oss':
      return `/fx/oss/${segment('period', chosen.period, quarter)}`;
    case 'ioss':
    case 'customs':
      return `/fx/${chosen.rule}/${segment('period', chosen.period, month)}`;
    case 'vat': {
      const taxPoint = encodeURIComponent(segment('taxPoint', chosen.taxPoint, dayOrInstant));
      const { country, bank, issued } = chosen;
      return `/fx/vat/${taxPoint}${queryString({ country, bank, issued })}`;
    }
    default:
      throw new InvalidArgumentError('rule', 'oss, ioss, customs or vat');
  }
}

type Form = { readonly pattern: RegExp; readonly expected: string };

const quarter: Form = { pattern: /^[0-9]{4}-Q[0-9]$/, expected: 'YYYY-Qn' };
const month: Form = { pattern: /^[0-9]{4}-[0-9]{2}$/, expected: 'YYYY-MM' };
const dayOrInstant: Form = {
  pattern:
    /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2}))?$/,
  expected: 'YYYY-MM-DD or an instant with an offset',
};

function segment(field: string, text: string, { pattern, expected }: Form): string {
  if (typeof text !== 'string' || !pattern.test(text)) {
    throw new InvalidArgumentError(field, expected);
  }
  return text;
}
