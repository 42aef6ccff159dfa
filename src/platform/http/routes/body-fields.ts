import { invalidField, unknownField } from '../responses/api-errors.ts';
import type { NameOf } from './read-request.ts';

/**
 * The fields of a JSON body; throws the 400 if it is no object or has a field that is not named (contract C35).
 *
 * `nameOf` gives the names in errors, for an object inside of the body.
 */
export function readFields(
  body: unknown,
  names: readonly string[],
  nameOf: NameOf = (path = 'body') => path,
): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidField(nameOf(), 'a JSON object');
  }
  const unknown = Object.keys(body).find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownField(nameOf(unknown));
  return body as Record<string, unknown>;
}
