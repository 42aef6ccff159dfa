import { memberState, parseCountryCode } from '../../../src/rates/member-states.ts';
import { convertAmount } from '../../../client/src/conversion.ts';
import { VatfxError } from '../../../client/src/errors.ts';
import { quoteInWords } from '../fx/banks.ts';
import type { EcbLawFx, LawFx } from './laws.ts';

/** An amount of a currency as it was written, and in the currency of the return or the invoice. */
export type Converted = {
  /** “1,000.00 USD = 866.78 EUR”. */
  readonly result: string;
  /** “1,000.00 USD ÷ 1.1537”. */
  readonly computation: string;
};

/** Separators of thousands that mean nothing else: blanks and apostrophes. */
const fillers = /[\s'’]/g;
const forms = [
  /^-?\d{1,30}(?:[.,]\d{1,20})?$/,
  /^-?\d{1,3}(?:,\d{3})+(?:\.\d{1,20})?$/,
  /^-?\d{1,3}(?:\.\d{3})+(?:,\d{1,20})?$/,
];
/** One thousand for some readers, and one for others. */
const ambiguous = /^-?[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * Reads an amount as people write it, with the separators of any country: `1,000.00` and `1.000,00` are `1000.00`.
 * Undefined for any other text, and for `1.000` and `1,000`, which have two meanings.
 */
export function readAmount(text: string): string | undefined {
  const written = text.replaceAll(fillers, '').replace('−', '-');
  if (ambiguous.test(written) || !forms.some((form) => form.test(written))) return undefined;
  const separators = written.match(/[.,]/g) ?? [];
  const last = separators.at(-1) ?? '';
  // A separator that stands twice is one of thousands.
  const isDecimal = separators.length === 1 || separators[0] !== last;
  const end = isDecimal ? written.lastIndexOf(last) : written.length;
  const whole = written.slice(0, end).replaceAll(/[.,]/g, '');
  return isDecimal && last !== '' ? `${whole}.${written.slice(end + 1)}` : whole;
}

/** The currency of a return or an invoice: that of the country whose own rule decides, or the euro. */
export function targetOf(country: string | null): string {
  const state = parseCountryCode(country ?? '');
  return state === undefined ? 'EUR' : memberState(state).currency;
}

function targetOfAnswer(answer: LawFx): string {
  return targetOf(answer.rule === 'vat' ? answer.country : null);
}

/** The currencies of which an amount can be converted, by their codes. */
export function currenciesOf(answer: LawFx): readonly string[] {
  const all = Object.keys({ ...answer.rates, ...('fixed' in answer ? answer.fixed : {}) });
  const target = targetOfAnswer(answer);
  const base = 'base' in answer ? [answer.base] : [];
  return [...base, ...all].filter((code) => code !== target).toSorted();
}

/** Converts an amount: exactly, rounded once at the end. Undefined if there is no rate of the currency. */
export function convert(answer: LawFx, amount: string, currency: string): Converted | undefined {
  const target = targetOfAnswer(answer);
  try {
    const converted = convertAmount(exactRates(answer), { amount, from: currency, to: target });
    const given = `${grouped(amount)} ${currency}`;
    return {
      result: `${given} = ${grouped(converted.amount)} ${target}`,
      computation: `${given}${'quote' in answer ? byUnits(answer.rates[currency]) : byEuro(answer, currency)}`,
    };
  } catch (error) {
    if (error instanceof VatfxError) return undefined;
    throw error;
  }
}

/** The rates of a currency that a conversion uses: “1 EUR = 1.1537 USD”, “100 HUF = 6.304 CZK”. */
export function ratesUsed(answer: LawFx, currency: string): readonly string[] {
  const target = targetOfAnswer(answer);
  if ('quote' in answer) {
    const published = answer.rates[currency];
    return published === undefined ? [] : [quoteInWords(currency, published, target)];
  }
  const codes = [currency, target].filter((code) => code !== answer.base);
  const isComplete = codes.every((code) => rateOf(answer, code) !== undefined);
  return isComplete
    ? codes.map((code) => `1 ${answer.base} = ${rateOf(answer, code)} ${code}`)
    : [];
}

/** The lawful rate: the fixed one of a currency that became the euro, else the published one (legal-fx L3). */
export function rateOf({ rates, fixed }: EcbLawFx, currency: string): number | undefined {
  return fixed[currency]?.rate ?? rates[currency];
}

function byUnits(published: { readonly units: number; readonly rate: number } | undefined): string {
  const { units = 1, rate = 0 } = published ?? {};
  return ` × ${rate}${units === 1 ? '' : ` ÷ ${grouped(String(units))}`}`;
}

function byEuro(answer: EcbLawFx, currency: string): string {
  const [from, to] = [rateOf(answer, currency), rateOf(answer, targetOfAnswer(answer))];
  return `${from === undefined ? '' : ` ÷ ${from}`}${to === undefined ? '' : ` × ${to}`}`;
}

/** The rates as texts. A rate has at most 15 digits, so that its number prints as it was published. */
function exactRates(answer: LawFx): Parameters<typeof convertAmount>[0] {
  if ('quote' in answer) {
    const { rates, ...rest } = answer;
    return {
      ...rest,
      rates: mapValues(rates, ({ units, rate }) => ({ units, rate: String(rate) })),
    };
  }
  const { date, base, rates, fixed } = answer;
  return {
    date,
    base,
    rates: mapValues(rates, String),
    fixed: mapValues(fixed, ({ rate, since }) => ({ rate: String(rate), since })),
  };
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Readonly<Record<string, Mapped>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}

/** Groups the digits before the point by commas: `1234.5` is “1,234.5”. */
function grouped(amount: string): string {
  return amount.replace(/^-?\d+/, (whole) => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','));
}
