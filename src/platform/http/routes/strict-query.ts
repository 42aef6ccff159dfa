import { type ApiError, unknownParameter } from '../responses/api-errors.ts';

/**
 * The query parameters that a route has; every other one is 400 (contract C35). `ignoresUnknown` is for the
 * routes of the interface, which ignore the others.
 */
export type KnownQuery = readonly string[] | 'ignoresUnknown';

/** The 400 for the first parameter of a query that is not known; undefined where all are. */
export function findUnknown(query: object, known: KnownQuery): ApiError | undefined {
  if (known === 'ignoresUnknown') return undefined;
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  return unknown === undefined ? undefined : unknownParameter(unknown);
}
