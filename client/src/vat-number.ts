// A copy of src/vat-check/numbers/vat-number.ts, made by npm run generate.

import { type RegistryCode, viesCodes, vatNumberFormats } from './vat-number-formats.ts';

export type { RegistryCode } from './vat-number-formats.ts';

/** A VAT number as the registry is queried for it. */
export type VatNumber = {
  readonly registryCode: RegistryCode;
  /** Upper case, without signs between its parts, without the letters of its country. */
  readonly number: string;
};

/** A difference between the text that the caller wrote and the number that is queried (rule K2). */
export type ReadingRemark =
  | 'W-IdNr read as VAT number'
  | 'leading 0 added'
  /** The number began with the letters of its own country. */
  | 'prefix removed';

/** A VAT number with the first remark of {@link ReadingRemark} that holds; null if it is queried as written. */
export type ReadVatNumber = {
  readonly vatNumber: VatNumber;
  readonly remark: ReadingRemark | null;
};

/** A VAT number with the country that it belongs to. */
export type CountryAndNumber = {
  /** ISO 3166-1 alpha-2: `GR` for Greece; `XI` for Northern Ireland. */
  readonly countryCode: string;
  /** As the registry is queried for it: `U12345678`. */
  readonly vatNumber: string;
};

/**
 * Reads a country and a VAT number as callers write them (interface 4.5, contract C21, rules K1 and K2).
 *
 * The country has any letter case; Greece is `GR` or `EL`, Monaco (`MC`) is read as France, and `GB` or `UK` as Northern
 * Ireland if the number begins with `XI`. The number is normalised with Unicode NFKC. Letter case and separators of every
 * kind are ignored. The letters of its own country are removed, unless the whole is a number of this country. Belgian, Greek
 * and Dutch numbers get the leading zeros that they have lost. A German W-IdNr (`123456789-00001`, also without its hyphen)
 * is read as its first nine digits. For two letters other than a Member State's, such as `US`, the country in front of the
 * number is meant, if the number has its form: a customer abroad can have a number of a Member State.
 *
 * Undefined for a number that the registry would refuse without looking it up: a country that is not among `known`, a
 * number without a digit, or one outside of its own pattern. A number in another form than its Member State's is read,
 * and check digits are not compared, because one that seems wrong may be right. The other registries refuse another
 * form, so it is not read (rule M5).
 *
 * @param known - The countries that a registry answers for; by default those of VIES.
 */
export function parseVatNumber(
  country: string,
  vat: string,
  known: readonly RegistryCode[] = viesCodes,
): VatNumber | undefined {
  return parseWrittenNumber(country, vat, known)?.vatNumber;
}

/** As `parseVatNumber`, with a remark if another number is queried than was written. */
export function parseWrittenNumber(
  country: string,
  vat: string,
  known: readonly RegistryCode[] = viesCodes,
): ReadVatNumber | undefined {
  const code = country.trim();
  const written = withoutSeparators(vat) ?? '';
  const meant = readCountry(code, written, known);
  const own = meant && readNumber(meant, written);
  const isOfVies = meant !== undefined && isViesCode(meant.registryCode);
  if (isOfVies || (own !== undefined && hasForm(own.vatNumber))) return own;
  if (!/^[A-Za-z]{2}$/.test(code)) return undefined;
  const lettered = written.replace(new RegExp(`^(?:${code})+`, 'i'), '');
  const inFront = readCountry(lettered.slice(0, 2), lettered, known);
  const read = inFront && readNumber(inFront, lettered);
  return read !== undefined && hasForm(read.vatNumber) ? read : undefined;
}

/** Reads a number without separators as one of a registry. */
function readNumber({ registryCode, prefixes }: Meant, written: string): ReadVatNumber | undefined {
  if (!/[0-9]/.test(written)) return undefined;
  const wIdNr =
    registryCode === 'DE' ? /^(?:DE)*([0-9]{9})[0-9]{5}$/.exec(written)?.[1] : undefined;
  const withoutLetters = withoutPrefixes(registryCode, prefixes, wIdNr ?? written);
  const number = withLeadingZeros(registryCode, withoutLetters);
  if (number.length < 2 || number.length > 12) return undefined;
  const remarks: Readonly<Record<ReadingRemark, boolean>> = {
    'W-IdNr read as VAT number': wIdNr !== undefined,
    'leading 0 added': number !== withoutLetters,
    'prefix removed': withoutLetters !== (wIdNr ?? written),
  };
  const remark = (Object.keys(remarks) as ReadingRemark[]).find((one) => remarks[one]) ?? null;
  return { vatNumber: { registryCode, number }, remark };
}

/**
 * Reads a VAT number with its country in front, as it stands on an invoice: `ATU12345678`.
 *
 * With a `country`, which was chosen for the number, no prefix is needed. A prefix of another country counts if the
 * rest has that country's form, unless the whole text has the form of `country`: `DE123456789` with `FR` is a
 * French number. Undefined if the country is not clear, or if no registry would look the number up.
 */
export function readVatNumber(text: string, country = ''): CountryAndNumber | undefined {
  const chosen = parseVatNumber(country, text);
  if (chosen !== undefined && hasForm(chosen)) return withCountry(chosen);
  const own = parseVatNumber(splitCountry(text).countryCode, text);
  const counts = chosen === undefined ? own : own !== undefined && hasForm(own) ? own : chosen;
  return counts === undefined ? undefined : withCountry(counts);
}

/** Whether a number can be one of its country: it has the form that the country's numbers have, or once had. */
export function hasForm({ registryCode, number }: VatNumber): boolean {
  return vatNumberFormats[registryCode].form.test(number);
}

/**
 * The registry's code of a country: `EL` for `GR`, `GB` for `UK`. Undefined if it is not among `known`, which are the
 * countries of VIES by default.
 */
export function toRegistryCode(
  country: string,
  known: readonly RegistryCode[] = viesCodes,
): RegistryCode | undefined {
  // Compared as ASCII: in other alphabets upper case makes Latin letters out of foreign ones.
  if (!/^[A-Za-z]{2}$/.test(country)) return undefined;
  const code = country.toUpperCase();
  const registryCode = { GR: 'EL', UK: 'GB' }[code] ?? code;
  return known.find((one) => one === registryCode);
}

/** The registry's code for numbers of a country: those of Monaco are French ones. Undefined if it is not among `known`. */
export function registryOf(
  country: string,
  known?: readonly RegistryCode[],
): RegistryCode | undefined {
  return /^MC$/i.test(country) ? 'FR' : toRegistryCode(country, known);
}

/** Whether VIES answers for a country. */
export function isViesCode(code: string): boolean {
  return viesCodes.some((one) => one === code);
}

/** A registry, with the letters that people write in front of its numbers. */
type Meant = { readonly registryCode: RegistryCode; readonly prefixes: readonly string[] };

/** The registry that a caller means; undefined if the country has none. */
function readCountry(
  country: string,
  written: string,
  known: readonly RegistryCode[],
): Meant | undefined {
  const isNorthernIrish = /^(?:GB|UK)$/i.test(country) && /^(?:GB|UK)*XI/.test(written);
  const registryCode = isNorthernIrish ? 'XI' : registryOf(country, known);
  if (registryCode === undefined) return undefined;
  if (/^MC$/i.test(country)) return { registryCode, prefixes: ['FR', 'MC'] };
  const { prefixes = [registryCode] } = vatNumberFormats[registryCode];
  return { registryCode, prefixes: prefixes.includes('GB') ? [...prefixes, 'UK'] : prefixes };
}

/**
 * Blanks, characters without width and control characters, hyphens and dashes, dots, slashes, commas, colons, underscores,
 * quotes, apostrophes, and parentheses.
 */
const separators =
  /[\s\p{Z}\p{Cc}\p{Cf}\p{Pd}\u2212\u2043./\\\u2215\u00B7\u2022\u2027\u2219\u22C5\u30FB_,:;"'`\u2032\u201A\u201E\p{Pi}\p{Pf}()]/gu;

/** Letters, digits, `+` and `*` in upper case, without separators; undefined for anything else (rule K1). */
export function withoutSeparators(vat: string): string | undefined {
  const bare = vat
    // Normalisation makes a blank and an accent of it.
    .replaceAll('\u00B4', '')
    .normalize('NFKC')
    .replaceAll(separators, '')
    .replace(/^=+/, '');
  return /^[0-9A-Za-z+*]*$/.test(bare) ? bare.toUpperCase() : undefined;
}

/**
 * Splits a number that stands on an invoice, `ATU12345678` or `(DE) 811 115 368`, into its country and the rest. Both are as
 * written if the text begins with two letters; otherwise separators are left out. Both are empty for a text that is no number.
 */
export function splitCountry(text: string): CountryAndNumber {
  const written = text.trim();
  const whole = /^[A-Za-z]{2}/.test(written) ? written : (withoutSeparators(text) ?? '');
  return { countryCode: whole.slice(0, 2), vatNumber: whole.slice(2).trim() };
}

/** The number without the letters of its country, which people write once or several times. */
function withoutPrefixes(
  registryCode: RegistryCode,
  prefixes: readonly string[],
  written: string,
): string {
  let number = written;
  while (!hasForm({ registryCode, number }) && prefixes.includes(number.slice(0, 2))) {
    number = number.slice(2);
  }
  return number;
}

/** The number with its leading zeros: a Dutch number can have lost two. */
function withLeadingZeros(registryCode: RegistryCode, number: string): string {
  const { withoutZero } = vatNumberFormats[registryCode];
  if (withoutZero?.test(number) !== true) return number;
  const longer = `0${number}`;
  return hasForm({ registryCode, number: longer }) ? longer : `0${longer}`;
}

/** A VAT number with its country as ISO 3166-1: `GR` for `EL`. */
export function withCountry({
  registryCode,
  number,
}: {
  readonly registryCode: string;
  readonly number: string;
}): CountryAndNumber {
  return { countryCode: registryCode === 'EL' ? 'GR' : registryCode, vatNumber: number };
}
