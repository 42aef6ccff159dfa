import type { VatNumber } from './vat-number.ts';

/** A difference between the country or number of an answer and the queried one. */
export type EchoDifference = {
  readonly part: 'country' | 'number';
  /** `form`: the same, written in another way. `other`: the answer is about something else. */
  readonly difference: 'form' | 'other';
};

/**
 * Compares the country and the number of an answer with those of the query.
 *
 * Letters and digits count, in upper case and without leading zeros, and Greece is `EL` or `GR`: a registry may write a
 * number in its own way. An empty echo says nothing and is no difference: several Member States send it with `false`.
 */
export function compareEcho(
  { registryCode, number }: VatNumber,
  echo: { readonly countryCode: string; readonly vatNumber: string },
): readonly EchoDifference[] {
  return [
    compare('country', registryCode, echo.countryCode),
    compare('number', number, echo.vatNumber),
  ].flat();
}

function compare(
  part: EchoDifference['part'],
  queried: string,
  echoed: string,
): readonly EchoDifference[] {
  if (echoed === queried || lettersAndDigits(echoed) === '') return [];
  const isSame = toComparable(part, echoed) === toComparable(part, queried);
  return [{ part, difference: isSame ? 'form' : 'other' }];
}

function toComparable(part: EchoDifference['part'], text: string): string {
  const letters = lettersAndDigits(text);
  if (part === 'country') return letters === 'GR' ? 'EL' : letters;
  return letters.replace(/^0+/, '');
}

function lettersAndDigits(text: string): string {
  return text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
