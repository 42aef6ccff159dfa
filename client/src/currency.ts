import { InvalidArgumentError } from './errors.ts';

/** Reads a currency code in any letter case: `usd` is `USD`. `field` is the name of the argument. */
export function readCurrency(field: string, code: string): string {
  if (typeof code !== 'string' || !/^[A-Za-z]{3}$/.test(code)) {
    throw new InvalidArgumentError(field, 'a currency code of three letters, such as USD');
  }
  return code.toUpperCase();
}
