import { parsePageLimit } from '../../values/page-limit.ts';
import { invalidField } from '../responses/api-errors.ts';

/** The query of a request; a parameter that is given twice is a list. */
export type Query = Readonly<Record<string, unknown>>;

/**
 * Reads a parameter; undefined if it is not given. Throws the 400 if `parse` does not accept it, and if it is empty or
 * given twice (contract C6).
 */
export function readParameter<Value>(
  query: Query,
  name: string,
  parse: (text: string) => Value | undefined,
  expected: string,
): Value | undefined {
  const given = query[name];
  if (given === undefined) return undefined;
  const value = typeof given === 'string' && given !== '' ? parse(given) : undefined;
  if (value === undefined) throw invalidField(name, expected);
  return value;
}

/** Reads `limit`: 1 or more; a larger one than `max` (200) becomes `max`. Undefined if it is not given. */
export function readLimit(query: Query, max?: number): number | undefined {
  return readParameter(query, 'limit', (text) => parsePageLimit(text, max), 'positive integer');
}

/** Reads `cursor`, which an earlier answer had. */
export function readCursor<Value>(
  query: Query,
  parse: (text: string) => Value | undefined,
): Value | undefined {
  return readParameter(query, 'cursor', parse, 'the nextCursor of the page before');
}

/** Reads `waitSeconds`: a whole number up to `max`; 0 if it is not given. */
export function readWaitSeconds(query: Query, max: number): number {
  const parse = (text: string) =>
    /^[0-9]{1,2}$/.test(text) && Number(text) <= max ? Number(text) : undefined;
  return readParameter(query, 'waitSeconds', parse, `a whole number from 0 to ${max}`) ?? 0;
}

/** A `parse` for texts that match a pattern. */
export function matching(pattern: RegExp): (text: string) => string | undefined {
  return (text) => (pattern.test(text) ? text : undefined);
}
