import { pageLimitDefault, parsePageLimit } from '../platform/page-limit.ts';
import { parseIsoDate, type IsoDate } from '../platform/time.ts';

/** What a caller asks of the change log (interface 4.2). */
export type ChangeQuery = {
  readonly since: IsoDate | null;
  /** Upper case; null for all. */
  readonly country: string | null;
  /** 1 to 200. */
  readonly limit: number;
};

export type ParsedChangeQuery =
  | { readonly kind: 'query'; readonly query: ChangeQuery }
  | { readonly kind: 'invalid'; readonly parameter: 'since' | 'country' | 'limit' };

/**
 * Reads the parameters of `/changes`, checked in the order since, country, limit (contract C6).
 *
 * A parameter that is given twice, which arrives as a list, or empty is malformed; unknown ones are
 * ignored.
 */
export function parseChangeQuery(parameters: Readonly<Record<string, unknown>>): ParsedChangeQuery {
  const since = read(parameters['since'], parseIsoDate);
  if (since === null) return { kind: 'invalid', parameter: 'since' };
  // The letters are compared before the case is changed: 'ſ' becomes 'S' in upper case.
  const country = read(parameters['country'], (text) =>
    /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : null,
  );
  if (country === null) return { kind: 'invalid', parameter: 'country' };
  const limit = read(parameters['limit'], parsePageLimit);
  if (limit === null) return { kind: 'invalid', parameter: 'limit' };

  return {
    kind: 'query',
    query: { since: since ?? null, country: country ?? null, limit: limit ?? pageLimitDefault },
  };
}

/** Undefined where the parameter is not given, null where it is malformed. */
function read<T>(value: unknown, parse: (text: string) => T | null): T | null | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? parse(value) : null;
}
