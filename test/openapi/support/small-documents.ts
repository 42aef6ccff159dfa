import type { Json } from '../../../reference/openapi/schemas.ts';

export const text = { type: 'string' };
export const truth = { type: 'boolean' };
export const number = { type: 'number' };
export const listOf = (items: Json): Json => ({ type: 'array', items });
export const oneOf = (...values: readonly unknown[]): Json => ({ enum: values });
export const union = (...schemas: readonly Json[]): Json => ({ anyOf: schemas });
export const mapOf = (additionalProperties: unknown): Json => ({
  type: 'object',
  additionalProperties,
});
export const anObject = (
  properties: Json,
  required: readonly string[] = [],
  others: Json = {},
): Json => ({ type: 'object', required, properties, ...others });
/** An object that refuses further fields, as bodies of requests do. */
export const closed = (properties: Json, required: readonly string[] = []): Json =>
  anObject(properties, required, { additionalProperties: false });

export const integer = { type: 'integer' };
export const orNull = (type: string): Json => ({ type: [type, 'null'] });
export const erratum = (kind: string, fields: Json = { field: text }): Json =>
  anObject({ kind: { const: kind }, ...fields });
export const errata = (...kinds: readonly Json[]): Json =>
  anObject({ errata: listOf(union(...kinds)) });
export const statuses = (...all: readonly string[]): Json => ({
  responses: Object.fromEntries(all.map((status) => [status, {}])),
});

const scheme = (name: string): Json => ({ type: 'http', scheme: name });

/** A document with one operation, `POST /x`, and one event, `x.done`. */
function documentOf(operation: Json, event: Json = {}): Json {
  return {
    openapi: '3.1.1',
    info: { title: 'x', version: '1' },
    security: [{ key: [] }],
    components: {
      securitySchemes: { key: scheme('bearer'), basic: scheme('basic') },
      schemas: { Short: { type: 'string', maxLength: 5 } },
    },
    paths: { '/x': { post: { operationId: 'x', ...answer({}), ...operation } } },
    webhooks: { 'x.done': { post: { responses: { '2XX': {} }, ...event } } },
  };
}

export const json = (schema: Json): Json => ({ 'application/json': { schema } });
export const answer = (part: Json): Json => ({ responses: { '200': part } });
export const body = (schema: Json, others: Json = {}): Json => ({
  requestBody: { content: json(schema), ...others },
});
export const parameter = (schema: Json, others: Json = {}): Json => ({
  parameters: [{ name: 'limit', in: 'query', schema, ...others }],
});

/** Documents with an operation or an event, or with an operation that has a body, a parameter or an answer of a schema. */
export const operating = (operation: Json): Json => documentOf(operation);
export const sending = (event: Json): Json => documentOf({}, event);
export const taking = (schema: Json): Json => documentOf(body(schema));
export const asking = (schema: Json): Json => documentOf(parameter(schema));
export const answering = (schema: Json): Json => documentOf(answer({ content: json(schema) }));
export const heading = (header: Json): Json => documentOf(answer({ headers: { ETag: header } }));
