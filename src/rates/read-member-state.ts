import { text } from '../platform/fields/field.ts';
import { string } from '../platform/fields/schema.ts';
import { type CountryCode, parseCountryCode } from './member-states.ts';

/** The expectation in the 400 for a country that has to be a Member State. */
export const memberStateExpected = 'a Member State';

/** The Member State of a code; undefined for any other country. */
export function parseMemberState(text: string): CountryCode | undefined {
  const code = parseTwoLetters(text);
  return code === undefined ? undefined : parseCountryCode(code);
}

const twoLetters = string({ pattern: '^[A-Za-z]{2}$' });

/** Any country that a caller writes: two letters in any letter case, `EL` for `GR`. */
export const countryField = text(twoLetters, '2-letter ISO code', parseTwoLetters);

/** A Member State, in the same way (rule G3). */
export const memberStateField = text(twoLetters, memberStateExpected, parseMemberState);

/** Reads two letters in any letter case; `EL` is `GR`. Undefined for any other text. */
export function parseTwoLetters(text: string): string | undefined {
  // Compared as ASCII: in other alphabets upper case makes Latin letters out of foreign ones.
  if (!/^[A-Za-z]{2}$/.test(text)) return undefined;
  const code = text.toUpperCase();
  return code === 'EL' ? 'GR' : code;
}
