import { invalidField, unknownField } from '../responses/api-errors.ts';

/** The fields of a JSON body; throws the 400 if it is no object or has a field that is not named (contract C35). */
export function readFields(
  body: unknown,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidField('body', 'a JSON object');
  }
  const unknown = Object.keys(body).find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownField(unknown);
  return body as Record<string, unknown>;
}
