import { hasAtMost } from '../../platform/values/characters.ts';
import { describeTooLong } from '../stored/requests/request-fields.ts';
import { hasForm, parseVatNumber, registryOf, withoutSeparators } from '../numbers/vat-number.ts';
import { readCountryName } from './country-names.ts';
import { explain, notInVies } from './explain.ts';
import { findNumbers, type FoundNumber, hasFormOf } from './find-numbers.ts';
import { canBeNumber, severalNumbers } from './read-line.ts';
import { nameOther } from './other-texts.ts';

/** The number of a cell, as it is to be sent: with the country of its row, and without the words before it. */
export type ReadCell =
  | ({ readonly kind: 'number' } & FoundNumber)
  /** Country and number are there, and no registry can be queried for them. */
  | ({ readonly kind: 'impossible'; readonly fault: string } & FoundNumber)
  | { readonly kind: 'unread'; readonly fault: string };

/** Characters of a cell in which a number is looked for: its length bounds the time. */
const cellMax = 128;

/**
 * Reads the cell of a table that is said to have a number (rule K12). It need not have the form of its country, since the registry
 * decides. Words before a number of its country are a label: `CIF B83891812`. Never two numbers of one cell.
 *
 * @param country - The cell of the country: a code or a name; '' if its row has none. Then the number's own letters decide.
 * @param chosen - The country of numbers without both; '' for none.
 */
export function readNumberCell(
  written: string,
  { country, chosen = '' }: { readonly country: string; readonly chosen?: string },
): ReadCell {
  if (written === '') return { kind: 'unread', fault: 'it has no VAT number' };
  if (!hasAtMost(written, cellMax)) {
    return { kind: 'unread', fault: describeTooLong({ countryCode: '', vatNumber: written }) };
  }
  const other = nameOther(written.normalize('NFKC'));
  if (other !== undefined) return { kind: 'unread', fault: other };
  if (country === '') return readByLetters(written, chosen);
  const code = /^[A-Za-z]{2}$/.test(country) ? country : readCountryName(country);
  if (code !== undefined) return readOfCountry(written, code);
  const read = readByLetters(written, '');
  return read.kind === 'number' ? read : { kind: 'unread', fault: notInVies(country) };
}

/** The number of a row that names its country. Letters of another country are queried as written (rule K2). */
function readOfCountry(written: string, countryCode: string): ReadCell {
  const whole = parseVatNumber(countryCode, written);
  if (whole !== undefined && hasForm(whole))
    return { kind: 'number', countryCode, vatNumber: written };
  const { numbers } = findNumbers(written, countryCode);
  if (numbers.length > 1) return { kind: 'unread', fault: severalNumbers };
  const [found] = numbers.filter((one) => isOf(one, countryCode));
  const vatNumber = found?.vatNumber ?? withoutWords(written, countryCode) ?? written;
  if (vatNumber !== written || whole !== undefined)
    return { kind: 'number', countryCode, vatNumber };
  return { kind: 'impossible', countryCode, vatNumber, fault: explain(written, countryCode, true) };
}

/** The number of a row that names no country. */
function readByLetters(written: string, chosen: string): ReadCell {
  if (hasFormOf(written, chosen)) {
    return { kind: 'number', countryCode: chosen, vatNumber: written };
  }
  const letters = withoutSeparators(written)?.slice(0, 2) ?? '';
  const own = parseVatNumber(letters, written);
  if (own !== undefined && hasForm(own)) {
    return { kind: 'number', countryCode: letters, vatNumber: written };
  }
  const { numbers } = findNumbers(written, chosen);
  if (numbers.length > 1) return { kind: 'unread', fault: severalNumbers };
  const [found] = numbers;
  if (found !== undefined) {
    return { kind: 'number', ...found, countryCode: found.countryCode.toUpperCase() };
  }
  const withoutLabel = withoutWords(written, chosen);
  if (withoutLabel !== undefined) {
    return { kind: 'number', countryCode: chosen, vatNumber: withoutLabel };
  }
  const countryCode = own !== undefined && canBeNumber(written) ? letters : chosen;
  return parseVatNumber(countryCode, written) === undefined
    ? { kind: 'unread', fault: explain(written, chosen, true) }
    : { kind: 'number', countryCode, vatNumber: written };
}

function isOf({ countryCode, vatNumber }: FoundNumber, country: string): boolean {
  return registryOf(countryCode) === registryOf(country) && vatNumber !== '';
}

/** What is left behind the words of a cell, if it is a number of the country; the words have no digits. */
function withoutWords(written: string, country: string): string | undefined {
  const text = written.normalize('NFKC');
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}+*]+/gu)) {
    if (/\d/.test(text.slice(0, index))) return undefined;
    const rest = text.slice(index);
    if (index > 0 && hasFormOf(rest, country)) return rest;
  }
  return undefined;
}
