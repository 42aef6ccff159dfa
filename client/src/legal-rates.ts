import type { BankTaxPointRule } from './bank-rates.ts';
import { InvalidArgumentError } from './errors.ts';
import type { Decimal } from './exact-json.ts';
import type { FxSnapshot } from './exchange-rates.ts';
import { queryString } from './path.ts';

/** The irrevocable rate of a currency that became the euro. */
export type FixedRate = {
  /** Units of the currency for 1 EUR. */
  readonly rate: Decimal;
  /** The first day on which the euro is the currency. */
  readonly since: string;
};

/** The publication that a law chooses, with the fixed rates that go before its own. */
type RatesOfLaw = FxSnapshot & {
  /**
   * The irrevocable rates by currency. A currency here can be in `rates` as well; then this rate is the lawful one, and
   * `convert` uses it.
   */
  readonly fixed: Readonly<Record<string, FixedRate>>;
  /** The law that says so. */
  readonly legalBasis: string;
  /**
   * The first day on which that law holds; null if it is not known, as for the ECB's rates in Czechia. An earlier period or
   * tax point is answered as if it did.
   */
  readonly inForceSince: string | null;
};

/** The rates for an OSS or IOSS return: of the last day of the period, else of the next publication after it. */
export type ReturnRates = RatesOfLaw & {
  readonly rule: 'oss' | 'ioss';
  /** `2023-Q4` or `2023-12`. */
  readonly period: string;
  readonly periodEnd: string;
};

/** The rates for the customs value in a month: of the penultimate Wednesday of the month before. */
export type CustomsRates = RatesOfLaw & {
  readonly rule: 'customs';
  readonly period: string;
  /** That Wednesday; `date` is earlier if it had no publication. */
  readonly decidedOn: string;
};

/** The rates for a tax point. */
export type TaxPointRates = RatesOfLaw & {
  readonly rule: 'vat';
  /** As it was requested. */
  readonly taxPoint: string;
  /** The day of issue of the invoice, if it was given. */
  readonly issued?: string;
  readonly basis: 'day' | 'instant';
  readonly country: 'PL' | 'CZ' | null;
};

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
  readonly country?: 'PL' | 'CZ' | undefined;
  /** The ECB, whose publications are used in any case. */
  readonly bank?: 'ecb' | undefined;
  /** The day of issue of the invoice, for a country whose rule needs it: if it is before the tax point, it decides. */
  readonly issued?: string | undefined;
};

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
