import { pageLimitDefault, parsePageLimit } from '../platform/values/page-limit.ts';
import { parseIsoDate, type IsoDate } from '../platform/time/time.ts';
import { parseTwoLetters } from './read-member-state.ts';

/** The parameters of `/changes` (interface 4.2). */
export type ChangeQuery = {
  readonly since: IsoDate | undefined;
  /** Upper case, `GR` for `EL`; undefined for all. */
  readonly country: string | undefined;
  /** 1 to 200. */
  readonly limit: number;
};

export type ParsedChangeQuery =
  | { readonly kind: 'query'; readonly query: ChangeQuery }
  | { readonly kind: 'invalid'; readonly parameter: 'since' | 'country' | 'limit' };

/**
 * Reads the parameters of `/changes`, checked in the order since, country, limit (contract C6).
 *
 * A parameter that is empty, or that is given twice and so arrives as a list, is malformed. Unknown ones are
 * ignored.
 */
export function parseChangeQuery(parameters: Readonly<Record<string, unknown>>): ParsedChangeQuery {
  const read = {
    since: readText(parameters['since'], parseIsoDate),
    country: readText(parameters['country'], parseTwoLetters),
    limit: readText(parameters['limit'], parsePageLimit),
  };
  for (const parameter of ['since', 'country', 'limit'] as const) {
    const isGiven = parameters[parameter] !== undefined;
    if (isGiven && read[parameter] === undefined) return { kind: 'invalid', parameter };
  }
  return { kind: 'query', query: { ...read, limit: read.limit ?? pageLimitDefault } };
}

/** Undefined if the parameter is not given, and if it is malformed. */
function readText<T>(value: unknown, parse: (text: string) => T | undefined): T | undefined {
  return typeof value === 'string' ? parse(value) : undefined;
}
