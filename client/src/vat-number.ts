// A copy of src/vat-check/vat-number.ts, made by npm run generate.

import { type RegistryCode, vatNumberFormats } from './vat-number-formats.ts';

export type { RegistryCode } from './vat-number-formats.ts';

/** A VAT number as the registry is queried for it. */
export type VatNumber = {
  readonly registryCode: RegistryCode;
  /** Upper case, without signs between its parts, without the letters of its country. */
  readonly number: string;
};

/** A VAT number with the differences between the text that the caller wrote and the number that is queried (rule K2). */
export type ReadVatNumber = {
  readonly vatNumber: VatNumber;
  /** The number began with the letters of its own country. */
  readonly isPrefixRemoved: boolean;
  readonly isZeroAdded: boolean;
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
 * The country has any letter case; Greece is `GR` or `EL`. The number is normalised with Unicode NFKC. Letter case,
 * blanks, dots, hyphens, slashes and characters without width are ignored. A prefix of its own country is removed if
 * the rest has the country's format. A Belgian number of 9 digits, a Greek number of 8 digits and a Dutch number with 7 or 8
 * digits before its `B` get their leading zeros.
 *
 * Undefined for a number that the registry would refuse without looking it up: a country that it does not know,
 * such as `GB`, or a number outside of its own pattern. Check digits are not compared, because one that seems wrong
 * may be right.
 */
export function parseVatNumber(country: string, vat: string): VatNumber | undefined {
  return parseWrittenNumber(country, vat)?.vatNumber;
}

/** As `parseVatNumber`, with a report of the prefix that was removed and of the 0 that was added. */
export function parseWrittenNumber(country: string, vat: string): ReadVatNumber | undefined {
  const registryCode = toRegistryCode(country);
  const written = withoutSigns(vat);
  if (registryCode === undefined || written === undefined) return undefined;
  const withoutLetters = withoutPrefix(registryCode, written);
  const isPrefixRemoved = withoutLetters !== undefined;
  const number = withoutLetters ?? withLeadingZero(registryCode, written);
  if (number.length < 2 || number.length > 12) return undefined;
  const isZeroAdded = number.length > written.length - (isPrefixRemoved ? 2 : 0);
  return { vatNumber: { registryCode, number }, isPrefixRemoved, isZeroAdded };
}

/**
 * Reads a VAT number with its country in front, as it stands on an invoice: `ATU12345678`.
 *
 * With a `country`, which was chosen for the number, no prefix is needed. A prefix of another country counts if the
 * rest has that country's format, unless the whole text has the format of `country`: `DE123456789` with `FR` is a
 * French number. Undefined if the country is not clear, or if no registry would look the number up.
 */
export function readVatNumber(text: string, country?: string): CountryAndNumber | undefined {
  const chosen = country === undefined ? undefined : parseVatNumber(country, text);
  if (chosen !== undefined && vatNumberFormats[chosen.registryCode].form.test(chosen.number)) {
    return withCountry(chosen);
  }
  const written = withoutSigns(text) ?? '';
  const registryCode = toRegistryCode(written.slice(0, 2));
  const number = registryCode === undefined ? undefined : withoutPrefix(registryCode, written);
  if (registryCode !== undefined && number !== undefined) {
    return withCountry({ registryCode, number });
  }
  return chosen === undefined ? undefined : withCountry(chosen);
}

/** The registry's code of a country; undefined for a country that it does not know. */
export function toRegistryCode(country: string): RegistryCode | undefined {
  // Compared as ASCII: in other alphabets upper case makes Latin letters out of foreign ones.
  if (!/^[A-Za-z]{2}$/.test(country)) return undefined;
  const code = country.toUpperCase();
  const registryCode = code === 'GR' ? 'EL' : code;
  return Object.hasOwn(vatNumberFormats, registryCode) ? (registryCode as RegistryCode) : undefined;
}

/** Letters, digits, `+` and `*` in upper case, without the signs between them; undefined for anything else. */
function withoutSigns(vat: string): string | undefined {
  const bare = vat
    .normalize('NFKC')
    // U+2010 is the hyphen that normalisation makes of the no-break hyphen. The others have no width.
    .replaceAll(/[\s./\-\u2010\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g, '');
  return /^[0-9A-Za-z+*]*$/.test(bare) ? bare.toUpperCase() : undefined;
}

/** The number without its country prefix; undefined unless only the rest has the country's format. */
function withoutPrefix(registryCode: RegistryCode, written: string): string | undefined {
  const { form, prefixes = [registryCode] } = vatNumberFormats[registryCode];
  if (!prefixes.includes(written.slice(0, 2)) || form.test(written)) return undefined;
  const number = withLeadingZero(registryCode, written.slice(2));
  return form.test(number) ? number : undefined;
}

/** The number with its leading zeros: a Dutch number can have lost two. */
function withLeadingZero(registryCode: RegistryCode, number: string): string {
  const { form, withoutZero } = vatNumberFormats[registryCode];
  if (withoutZero?.test(number) !== true) return number;
  const longer = `0${number}`;
  return form.test(longer) ? longer : `0${longer}`;
}

/** A VAT number with its country as ISO 3166-1: `GR` for `EL`. */
export function withCountry({ registryCode, number }: VatNumber): CountryAndNumber {
  return { countryCode: registryCode === 'EL' ? 'GR' : registryCode, vatNumber: number };
}
