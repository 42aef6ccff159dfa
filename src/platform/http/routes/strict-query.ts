import { type ApiError, unknownParameter } from '../responses/api-errors.ts';

/**
 * The query parameters of a route; every other parameter is a 400 (contract C35). `ignoresUnknown` is for routes of
 * the interface, which ignore other parameters.
 */
export type KnownQuery = readonly string[] | 'ignoresUnknown';

/** The 400 for the first unknown parameter of a query; undefined if all are known. */
export function findUnknown(query: object, known: KnownQuery): ApiError | undefined {
  if (known === 'ignoresUnknown') return undefined;
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  return unknown === undefined ? undefined : unknownParameter(unknown);
}
