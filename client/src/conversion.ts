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
import type { FxSnapshot } from './exchange-rates.ts';
import type { FixedRate } from './legal-rates.ts';

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
 * Between two currencies other than the euro the cross rate is not rounded. Throws `UnknownCurrencyError`;
 * `InvalidArgumentError` for an amount, a currency code or an option that is malformed.
 */
export function convertAmount(
  snapshot: ConvertibleRates,
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

  const inEuro = divide(readAmount(amount), rateOf(snapshot, source));
  const converted = multiply(inEuro, rateOf(snapshot, target));
  const { text, isExact } = printRounded(converted, places, rounding);
  return { amount: text, currency: target, isExact, date: snapshot.date };
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
