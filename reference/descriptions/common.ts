import { type TSchema, Type } from 'typebox';
import { refusal } from '../../src/platform/http/routes/define-route.ts';
import type { ErrorDescription } from './route-description.ts';

/** Schemas and errors that several features have in common. */

export const dateSchema = Type.String({ format: 'date', pattern: '^\\d{4}-\\d\\d-\\d\\d$' });

export const instantSchema = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
});

/** A schema that also allows null. */
export function orNull(schema: TSchema, description?: string): TSchema {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

/** The schema with another description. */
export function withDescription(schema: TSchema, description: string): TSchema {
  return { ...schema, description };
}

/** The 400 for a malformed query parameter or field, with its own text. */
export function malformed(field: string, expected: string, when: string): ErrorDescription {
  return refusal(field, expected, when);
}
