import { type Query, readParameter } from '../platform/http/routes/query-parameters.ts';
import { type CountryCode, parseCountryCode } from './member-states.ts';

/**
 * Reads `country` as a Member State: its ISO 3166-1 code in any letter case, or `EL` for Greece (rule G3). Undefined if it
 * is not given; throws the 400 for anything else.
 */
export function readMemberState(query: Query): CountryCode | undefined {
  return readParameter(query, 'country', parseMemberState, 'a Member State');
}

/** The Member State of a code; undefined for any other country. */
export function parseMemberState(text: string): CountryCode | undefined {
  // Compared as ASCII: in other alphabets upper case makes Latin letters out of foreign ones.
  if (!/^[A-Za-z]{2}$/.test(text)) return undefined;
  const code = text.toUpperCase();
  return parseCountryCode(code === 'EL' ? 'GR' : code);
}
