import { InvalidArgumentError } from './errors.ts';
import type { CallOptions } from './transport.ts';
import { readVatNumber } from './vat-number.ts';

/** Reads a country and a number, or a number with the letters of its country in front; throws if they do not say it. */
export function readCheckArguments(
  first: string,
  second: string | CallOptions | undefined,
  third: CallOptions | undefined,
): {
  readonly country: string;
  readonly number: string;
  readonly options: CallOptions | undefined;
} {
  if (typeof second !== 'object' && second !== undefined) {
    return { country: first, number: second, options: third };
  }
  const read = typeof first === 'string' ? readVatNumber(first) : undefined;
  if (read === undefined) throw new InvalidArgumentError('number', numberExpected);
  return { country: read.countryCode, number: read.vatNumber, options: second };
}

const numberExpected =
  'a VAT number that begins with the letters of its country, or the country as the first argument';
