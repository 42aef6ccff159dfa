import type { VatNumber } from '../../numbers/vat-number.ts';

/** A difference between the country or number of an answer and the queried one. */
export type EchoDifference = {
  readonly part: 'country' | 'number';
  /** `form`: the same, written in another way. `other`: the answer is about something else. */
  readonly difference: 'form' | 'other';
};

/** Letters with which a registry writes the country in front of a number, if they are not its code. */
const otherLetters: Readonly<Record<string, string>> = { EL: 'GR', XI: 'GB' };

/**
 * Compares the country and the number of an answer with those of the query.
 *
 * Letters and digits count, in upper case and without leading zeros, and Greece is `EL` or `GR`: a registry may write a
 * number in its own way, also with the letters of its country in front. An empty echo says nothing and is no difference:
 * several Member States send it with `false`.
 */
export function compareEcho(
  { registryCode, number }: VatNumber,
  echo: { readonly countryCode: string; readonly vatNumber: string },
): readonly EchoDifference[] {
  const echoed = lettersAndDigits(echo.vatNumber);
  const withoutLetters = [registryCode, otherLetters[registryCode] ?? registryCode]
    .filter((letters) => echoed.startsWith(letters))
    .map((letters) => echoed.slice(letters.length));
  return [
    compare('country', registryCode, echo.countryCode, [toCountry(echo.countryCode)]),
    compare('number', number, echo.vatNumber, [echoed, ...withoutLetters].map(withoutZeros)),
  ].flat();
}

/** `readings` are the echo as it may be read, in the form in which the queried value is compared. */
function compare(
  part: EchoDifference['part'],
  queried: string,
  echoed: string,
  readings: readonly string[],
): readonly EchoDifference[] {
  if (echoed === queried || lettersAndDigits(echoed) === '') return [];
  const expected = part === 'country' ? queried : withoutZeros(lettersAndDigits(queried));
  return [{ part, difference: readings.includes(expected) ? 'form' : 'other' }];
}

function toCountry(text: string): string {
  const letters = lettersAndDigits(text);
  return letters === 'GR' ? 'EL' : letters;
}

function withoutZeros(letters: string): string {
  return letters.replace(/^0+/, '');
}

function lettersAndDigits(text: string): string {
  return text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
