import { text } from '../platform/fields/field.ts';
import { string } from '../platform/fields/schema.ts';
import { type Query, readParameter } from '../platform/http/routes/query-parameters.ts';
import { type CountryCode, parseCountryCode } from './member-states.ts';

/** The expectation in the 400 for a country that has to be a Member State. */
export const memberStateExpected = 'a Member State';

/**
 * Reads `country` as a Member State: its ISO 3166-1 code in any letter case, or `EL` for Greece (rule G3). Undefined if it
 * is not given; throws the 400 for anything else.
 */
export function readMemberState(query: Query): CountryCode | undefined {
  return readParameter(query, 'country', parseMemberState, memberStateExpected);
}

/** The Member State of a code; undefined for any other country. */
export function parseMemberState(text: string): CountryCode | undefined {
  const code = parseTwoLetters(text);
  return code === undefined ? undefined : parseCountryCode(code);
}

/** Any country that a caller writes: two letters in any letter case, `EL` for `GR`. */
export const countryField = text(
  string({ pattern: '^[A-Za-z]{2}$' }),
  '2-letter ISO code',
  parseTwoLetters,
);

/** Reads two letters in any letter case; `EL` is `GR`. Undefined for any other text. */
export function parseTwoLetters(text: string): string | undefined {
  // Compared as ASCII: in other alphabets upper case makes Latin letters out of foreign ones.
  if (!/^[A-Za-z]{2}$/.test(text)) return undefined;
  const code = text.toUpperCase();
  return code === 'EL' ? 'GR' : code;
}
