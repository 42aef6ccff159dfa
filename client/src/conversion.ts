import { divide, type Fraction, multiply, printRounded, readDecimal } from './decimal.ts';
import { type Rounding, roundings } from './decimal.ts';
import { UnknownCurrencyError } from './errors.ts';
import type { Decimal } from './exact-json.ts';
import type { FxSnapshot } from './exchange-rates.ts';
import { refuseInput } from './refusal.ts';

/** Currencies of the ECB's list, present and past, that have no minor unit in use. */
const withoutDecimals = new Set(['ISK', 'JPY', 'KRW']);
const decimalsMax = 20;

/** A whole number may be a `number` or a `bigint`; with decimals it is text. */
export type Amount = Decimal | bigint | number;

export type ConversionOptions = {
  /** Decimals of the result; without it 2, and 0 for ISK, JPY and KRW. */
  readonly decimals?: number | undefined;
  /** `half-up` without it: halves away from zero, as Regulation (EC) 1103/97, article 5, has it. */
  readonly rounding?: Rounding | undefined;
};

/** An amount in another currency. */
export type Conversion = {
  readonly amount: Decimal;
  readonly currency: string;
  /** Whether nothing was rounded away. */
  readonly isExact: boolean;
  /** The publication whose rates were used. */
  readonly date: string;
};

/** What is converted: so much of one currency into another. */
export type ConversionRequest = {
  readonly amount: Amount;
  readonly from: string;
  readonly to: string;
};

/**
 * Converts with the rates of one publication, exactly, and rounds once, at the end.
 *
 * From euro by multiplying, to euro by dividing, between two others by both at once: no cross rate is rounded
 * in between. Throws `UnknownCurrencyError`, and `InvalidInputError` for what is no amount.
 */
export function convertAmount(
  snapshot: FxSnapshot,
  { amount, from, to }: ConversionRequest,
  { decimals, rounding = 'half-up' }: ConversionOptions = {},
): Conversion {
  const places = decimals ?? (withoutDecimals.has(to) ? 0 : 2);
  if (!Number.isInteger(places) || places < 0 || places > decimalsMax) {
    throw refuseInput('decimals', `a whole number from 0 to ${decimalsMax}`);
  }
  if (!roundings.includes(rounding)) throw refuseInput('rounding', roundings.join(', '));

  const inEuro = divide(readAmount(amount), rateOf(snapshot, from));
  const converted = multiply(inEuro, rateOf(snapshot, to));
  const { text, isExact } = printRounded(converted, places, rounding);
  return { amount: text, currency: to, isExact, date: snapshot.date };
}

function readAmount(amount: Amount): Fraction {
  // A float has been rounded already, and nobody knows from what: 0.1 + 0.2.
  const isRead = typeof amount !== 'number' || Number.isSafeInteger(amount);
  const read = isRead ? readDecimal(String(amount)) : undefined;
  if (read === undefined)
    throw refuseInput('amount', "a decimal as text, like '19.90', or a whole number");
  return read;
}

function rateOf({ base, date, rates }: FxSnapshot, currency: string): Fraction {
  if (currency === base) return { over: 1n, under: 1n };
  const rate = Object.hasOwn(rates, currency) ? rates[currency] : undefined;
  const read = rate === undefined ? undefined : readDecimal(rate);
  if (read === undefined || read.over <= 0n) throw new UnknownCurrencyError(currency, date);
  return read;
}
