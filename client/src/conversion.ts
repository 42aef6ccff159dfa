import type { BankSnapshot, FixedRate, FxSnapshot } from './api-types.ts';
import {
  divide,
  type Fraction,
  multiply,
  printRounded,
  readDecimal,
  type Rounding,
  roundings,
} from './decimal.ts';
import { readCurrency } from './currency.ts';
import { InvalidArgumentError, UnknownCurrencyError } from './errors.ts';
import type { Decimal } from './exact-json.ts';

/** Currencies of the ECB's list, present and past, that have no minor unit in use. */
const withoutDecimals = new Set(['ISK', 'JPY', 'KRW']);
const decimalsMax = 20;

/** An amount of money. With decimals it is text; a whole number may be a `number` or a `bigint`. */
export type Amount = Decimal | bigint | number;

export type ConversionOptions = {
  /** Decimals of the result. By default 2, and 0 for ISK, JPY and KRW. */
  readonly decimals?: number | undefined;
  /** By default `half-up`: halves are rounded away from zero (Regulation (EC) 1103/97, article 5). */
  readonly rounding?: Rounding | undefined;
};

/** An amount in another currency. */
export type Conversion = {
  readonly amount: Decimal;
  readonly currency: string;
  /** Whether the result is exact: rounding did not change it. */
  readonly isExact: boolean;
  /** The publication whose rates were used. */
  readonly date: string;
  /** The number of its table; null if its national bank has none. Only with the rates of a national bank. */
  readonly table?: string | null;
};

/** The rates of one publication, and with a rule of law the fixed rates of currencies that became the euro. */
export type ConvertibleRates = FxSnapshot & {
  readonly fixed?: Readonly<Record<string, FixedRate>>;
};

/** An amount of one currency, to be converted into another. The codes are ISO 4217, in any letter case. */
export type ConversionRequest = {
  readonly amount: Amount;
  readonly from: string;
  readonly to: string;
};

/**
 * Converts an amount with the rates of one publication: exactly, rounded once at the end.
 *
 * Between two currencies other than the euro the cross rate is not rounded. A national bank has direct quotes only: of
 * another currency in its own. Throws `UnknownCurrencyError`; `InvalidArgumentError` for an amount, a currency code or an
 * option that is malformed, and for a pair that is no direct quote of a national bank.
 */
export function convertAmount(
  snapshot: ConvertibleRates | BankSnapshot,
  { amount, from, to }: ConversionRequest,
  { decimals, rounding = 'half-up' }: ConversionOptions = {},
): Conversion {
  const source = readCurrency('from', from);
  const target = readCurrency('to', to);
  const places = decimals ?? (withoutDecimals.has(target) ? 0 : 2);
  if (!Number.isInteger(places) || places < 0 || places > decimalsMax) {
    throw new InvalidArgumentError('decimals', `a whole number from 0 to ${decimalsMax}`);
  }
  if (!roundings.includes(rounding))
    throw new InvalidArgumentError('rounding', roundings.join(', '));

  const { date } = snapshot;
  const rate = 'quote' in snapshot ? quoteOf(snapshot, source, target) : undefined;
  const converted =
    rate === undefined
      ? convertByEuro(snapshot as ConvertibleRates, { amount: readAmount(amount), source, target })
      : multiply(readAmount(amount), rate);
  const { text, isExact } = printRounded(converted, places, rounding);
  const table = 'quote' in snapshot ? { table: snapshot.table } : {};
  return { amount: text, currency: target, isExact, date, ...table };
}

function convertByEuro(
  rates: ConvertibleRates,
  of: { readonly amount: Fraction; readonly source: string; readonly target: string },
): Fraction {
  return multiply(divide(of.amount, rateOf(rates, of.source)), rateOf(rates, of.target));
}

/** The list of a bank that has other currencies, which the service does not have (rule N7a). */
const otherLists: Readonly<Record<BankSnapshot['bank'], string>> = {
  nbp: 'if the NBP publishes one, it is in its table B, once a week',
  cnb: 'if the CNB publishes one, it is in its rates of other currencies, once a month',
};

/** The published rate of one unit, which is a fraction and not rounded: a rate of law is a published one (rule N8). */
function quoteOf(
  { bank, quote, date, rates }: BankSnapshot,
  source: string,
  target: string,
): Fraction {
  if (target !== quote) throw new InvalidArgumentError('to', `${quote}, the currency of the bank`);
  if (source === quote) throw new InvalidArgumentError('from', `a currency other than ${quote}`);
  const published = Object.hasOwn(rates, source) ? rates[source] : undefined;
  const rate = published === undefined ? undefined : readDecimal(published.rate);
  const units = readDecimal(String(published?.units));
  if (rate === undefined || units === undefined || units.over <= 0n) {
    throw new UnknownCurrencyError(source, date, otherLists[bank]);
  }
  return divide(rate, units);
}

function readAmount(amount: Amount): Fraction {
  // A float with decimals is refused, because it is already rounded: 0.1 + 0.2 is not 0.3.
  const isExact = typeof amount !== 'number' || Number.isSafeInteger(amount);
  const read = isExact ? readDecimal(String(amount)) : undefined;
  if (read === undefined)
    throw new InvalidArgumentError('amount', "a decimal as text, like '19.90', or a whole number");
  return read;
}

function rateOf({ base, date, rates, fixed = {} }: ConvertibleRates, currency: string): Fraction {
  if (currency === base) return { over: 1n, under: 1n };
  const published = Object.hasOwn(rates, currency) ? rates[currency] : undefined;
  // The irrevocable rate is the only lawful one, even if the publication still has another (Regulation (EC) 1103/97, art. 4).
  const rate = Object.hasOwn(fixed, currency) ? fixed[currency]?.rate : published;
  const read = rate === undefined ? undefined : readDecimal(rate);
  if (read === undefined || read.over <= 0n) throw new UnknownCurrencyError(currency, date);
  return read;
}
