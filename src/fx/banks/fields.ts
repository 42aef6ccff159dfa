import { parseDecimal } from '../../platform/values/decimal.ts';
import { NumberToken } from '../../platform/values/exact-json.ts';
import { quote } from '../../platform/values/quote.ts';
import { type CurrencyCode, parseCurrencyCode } from '../snapshot.ts';

/** The fields of a value of JSON; none if it is no object. Fields that a reader does not know are passed over. */
export function fieldsOf(given: unknown): Readonly<Record<string, unknown>> {
  const isObject =
    typeof given === 'object' &&
    given !== null &&
    !Array.isArray(given) &&
    !(given instanceof NumberToken);
  return isObject ? (given as Readonly<Record<string, unknown>>) : {};
}

/** A text of JSON; undefined for a value of any other type (contract C19). */
export function textOf(given: unknown): string | undefined {
  return typeof given === 'string' ? given : undefined;
}

/** A number of JSON as it is written; undefined for a value of any other type, a text of digits too (contract C19). */
export function numberOf(given: unknown): string | undefined {
  return given instanceof NumberToken ? given.source : undefined;
}

/** A currency; undefined for anything but a text of three capital letters. */
export function currencyOf(given: unknown): CurrencyCode | undefined {
  return parseCurrencyCode(textOf(given) ?? '');
}

/** A rate as a canonical decimal; undefined for anything but a number above zero in plain notation. */
export function rateOf(given: unknown): string | undefined {
  const value = parseDecimal(numberOf(given) ?? '');
  return value === '0' ? undefined : value;
}

/** What the fields of any bank have to be, for `explain`. */
export const expected = {
  date: 'a date like "2026-03-02" that exists',
  currency: 'a text of three capital letters',
  rate: 'a number above 0',
} as const;

/** What stands in a field, and what was expected: a text in quotation marks, a number by its digits, others by their type. */
export function explain(given: unknown, what: string): string {
  return `${nameValue(given)}, expected ${what}`;
}

function nameValue(given: unknown): string {
  if (given instanceof NumberToken) return quote(given.source);
  if (typeof given === 'string') return `"${quote(given)}"`;
  if (Array.isArray(given)) return 'a list';
  if (typeof given === 'boolean') return String(given);
  return given === undefined || given === null ? 'nothing' : 'an object';
}
