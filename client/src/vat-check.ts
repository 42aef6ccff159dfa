import { InvalidArgumentError } from './errors.ts';
import type { CallOptions } from './transport.ts';
import { readVatNumber } from './vat-number.ts';

/** The registry's answer about a VAT number (interface 2.4). */
export type VatCheck = {
  /** The country as the caller sent it: `GR` stays `GR`, `EL` stays `EL`. */
  readonly countryCode: string;
  readonly vatNumber: string;
  /** The registry's date of the check, with its offset: `2026-11-20+01:00`. Keep it as evidence. */
  readonly requestDate: string;
  /** False only if the registry looked the number up and it is not registered. */
  readonly valid: boolean;
  /** Null if the Member State does not disclose it; so is `address`. */
  readonly name: string | null;
  readonly address: string | null;
};

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
