import { vatNumberFormats } from '../numbers/vat-number-formats.ts';
import { parseVatNumber, toRegistryCode, withoutSeparators } from '../numbers/vat-number.ts';
import { englishName, isCheckable, readOutsideName } from './country-names.ts';
import { lengthsOf } from './number-lengths.ts';
import { nameOther } from './other-texts.ts';

/** Countries beside VIES with their registries. */
const beside: Readonly<Record<string, string>> = {
  GB: 'Great Britain is not in VIES since 2021; numbers of Northern Ireland begin with XI',
  CH: 'Switzerland is not in VIES: its registry is the UID',
  NO: 'Norway is not in VIES: its registry is Brreg',
};

/** The reason why a number of a country without a registry in VIES is not read: a code or a name. */
export function notInVies(country: string): string {
  const known = beside[readOutsideName(country) ?? ''];
  return known ?? `its country “${country.slice(0, 40)}” is not in VIES`;
}

/** The reason of a text that begins with letters of a country outside of VIES and has the digits of a number. */
export function explainOutside(signs: string): string | undefined {
  const [, letters = ''] = /^(GB|UK|CHE|CH|NO)(?=[0-9]{9})/.exec(signs) ?? [];
  return letters === '' ? undefined : notInVies(letters.slice(0, 2));
}

/**
 * What is wrong with a text that has the letters of a country in front, and not the form of its numbers: `it has the letters of
 * Spain, but 8 characters instead of 9`. Undefined for other texts.
 */
export function explainForm(text: string): string | undefined {
  const signs = withoutSeparators(text) ?? '';
  const letters = signs.slice(0, 2);
  const registry = toRegistryCode(letters);
  if (registry === undefined || !/[0-9]/.test(signs)) return undefined;
  const lengths = lengthsOf(registry);
  const count = (parseVatNumber(letters, text)?.number ?? signs.slice(2)).length;
  const has = `it has the letters of ${englishName(letters)}, but`;
  return lengths.includes(count)
    ? `${has} not the form of its numbers: ${vatNumberFormats[registry].words}`
    : `${has} ${count} characters instead of ${inWords(lengths)}`;
}

function inWords(lengths: readonly number[]): string {
  const [first, ...others] = lengths;
  const last = others.at(-1);
  // Romanian numbers have any length from 2 to 10.
  if (last !== undefined && others.length > 2 && last - Number(first) === others.length) {
    return `${first} to ${last}`;
  }
  return lengths.join(', ').replace(/, (\d+)$/, ' or $1');
}

/** The reason why a text is no number. `country` is the one of its row, or the chosen one; '' for none. */
export function explain(text: string, country: string, isRow: boolean): string {
  const plain = text.normalize('NFKC').trim();
  if (!/\d/.test(plain)) return 'it has no digit';
  const other = nameOther(plain);
  if (other !== undefined) return other;
  const signs = withoutSeparators(plain) ?? '';
  const outside = explainOutside(signs);
  if (outside !== undefined) return outside;
  const isPlain = !/\p{L}{3}/u.test(plain);
  if (isPlain && signs.replaceAll(/\D/g, '').length > 12) {
    return 'it is longer than a VAT number, which has 2 to 12 letters and digits';
  }
  if (/\P{ASCII}/u.test(plain) && /^[\p{L}\p{N}]+$/u.test(plain)) {
    return 'a VAT number has 2 to 12 Latin letters and digits';
  }
  const form = isPlain ? explainForm(plain) : undefined;
  if (form !== undefined) return form;
  if (country !== '') {
    return isCheckable(country)
      ? `it is no number of ${country}, nor one with the letters of another country`
      : notInVies(country);
  }
  return isRow
    ? 'it names no country, and its number does not begin with the letters of one'
    : 'the letters of its country are missing: write them in front, or choose the country';
}
