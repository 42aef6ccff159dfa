/** The registry codes of VIES: the Member States, Greece as `EL`, and Northern Ireland. */
const registryCodes = [
  'AT',
  'BE',
  'BG',
  'CY',
  'CZ',
  'DE',
  'DK',
  'EE',
  'EL',
  'ES',
  'FI',
  'FR',
  'HR',
  'HU',
  'IE',
  'IT',
  'LT',
  'LU',
  'LV',
  'MT',
  'NL',
  'PL',
  'PT',
  'RO',
  'SE',
  'SI',
  'SK',
  'XI',
] as const;

export type RegistryCode = (typeof registryCodes)[number];

/** A VAT number as the registry is asked for it. */
export type VatNumber = {
  readonly registryCode: RegistryCode;
  /** Upper case, without the signs that people put between its parts. */
  readonly number: string;
};

/**
 * Reads a country and a VAT number as callers write them (interface 4.5, contract C21).
 *
 * Any letter case; blanks, dots, hyphens and slashes in the number mean nothing; Greece is `GR` or `EL`.
 * Undefined for what the registry would refuse without looking it up: a country that it does not know,
 * `GB` among them, or a number outside of its own pattern. Nothing stricter: a check digit that we
 * believe to be wrong may be right.
 */
export function parseVatNumber(country: string, vat: string): VatNumber | undefined {
  // Compared as ASCII: in other alphabets upper case makes Latin letters out of foreign ones.
  const code = /^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : '';
  const registryCode = registryCodes.find((known) => known === (code === 'GR' ? 'EL' : code));
  const number = vat.replaceAll(/[\s./-]/g, '');
  if (registryCode === undefined || !/^[0-9A-Za-z+*]{2,12}$/.test(number)) return undefined;
  return { registryCode, number: number.toUpperCase() };
}
