import { type TSchema, Type } from 'typebox';
import { refusal } from '../../src/platform/http/routes/define-route.ts';
import { pageLimitDefault } from '../../src/platform/values/page-limit.ts';
import type { ErrorDescription, ParameterDescription } from './route-description.ts';

/** Schemas, parameters and errors that several features have in common. */

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

export const limitParameter: ParameterDescription = {
  name: 'limit',
  in: 'query',
  description: 'The largest number of rows to return. Values above 200 mean 200.',
  schema: Type.Integer({ minimum: 1, default: pageLimitDefault }),
  example: 20,
};

/** The 400 for a malformed query parameter or field, with its own text. */
export function malformed(field: string, expected: string, when: string): ErrorDescription {
  return refusal(field, expected, when);
}
