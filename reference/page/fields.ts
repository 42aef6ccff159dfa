import type { Json } from '../openapi/schemas.ts';

/** One line of a table of fields. */
export type Field = {
  /** The names from the outermost field to this one: `rates.*.standard`, `changes[].id`. */
  readonly path: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly description: string;
  /** The reference of a schema whose fields stand elsewhere: the line stands for all of them. */
  readonly elsewhere?: string;
};

type IsElsewhere = (reference: string, path: string) => boolean;

/** So few fields are always listed. */
const fewFields = 4;

/**
 * Lists the fields of a schema, each followed by its inner fields.
 *
 * @param isElsewhere Whether the fields of a schema stand elsewhere, by its reference; `path` is that of the schema here.
 */
export function listFields(
  document: Json,
  schema: unknown,
  isElsewhere: IsElsewhere,
  path = '',
): readonly Field[] {
  const { $ref } = schema as { readonly $ref?: string };
  const fields = listInner(document, schema, isElsewhere, path);
  if ($ref === undefined || fields.length <= fewFields || !isElsewhere($ref, path)) return fields;
  return [{ path, type: '', isOptional: false, description: '', elsewhere: $ref }];
}

function listInner(
  document: Json,
  schema: unknown,
  isElsewhere: IsElsewhere,
  path: string,
): readonly Field[] {
  const resolved = resolve(document, schema);
  const unwrapped = nonNull(resolved);
  if (unwrapped !== resolved) return listFields(document, unwrapped, isElsewhere, path);
  const join = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const inside = (value: unknown, at: string): readonly Field[] =>
    listFields(document, value, isElsewhere, at);

  const required = (resolved['required'] ?? []) as readonly string[];
  const own = Object.entries((resolved['properties'] ?? {}) as Json).flatMap(([name, value]) => [
    {
      path: join(name),
      type: typeOf(document, value),
      isOptional: !required.includes(name),
      description: descriptionOf(document, value),
    },
    ...inside(value, join(name)),
  ]);
  const { items, additionalProperties, maxItems } = resolved;
  const listed = items === undefined || maxItems === 0 ? [] : inside(items, `${path}[]`);
  const mapped =
    typeof additionalProperties === 'object' ? inside(additionalProperties, join('*')) : [];
  return [...own, ...listed, ...mapped];
}

/** Follows a `$ref`; returns a value without a `$ref` itself. */
export function resolve(document: Json, value: unknown): Json {
  const { $ref } = value as { readonly $ref?: string };
  if ($ref === undefined) return value as Json;
  let found: unknown = document;
  for (const name of $ref.slice(2).split('/')) found = (found as Json)[name];
  return found as Json;
}

/** A type in a few words: `number or null`, `list of Delivery`. */
export function typeOf(document: Json, schema: unknown): string {
  const {
    const: only,
    anyOf,
    type,
    enum: values,
    items,
    additionalProperties,
    maxItems,
    format,
  } = resolve(document, schema);
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(anyOf)) {
    return [...new Set(anyOf.map((one) => typeOf(document, one)))].join(' or ');
  }
  if (Array.isArray(values)) return values.map((one) => JSON.stringify(one)).join(' or ');
  const types = Array.isArray(type) ? type.map(String) : [String(type)];
  return types
    .map((one) => {
      if (one === 'array') {
        return maxItems === 0 ? 'empty list' : `list of ${plural(document, items)}`;
      }
      if (one === 'object' && typeof additionalProperties === 'object') return 'object by name';
      return one === 'string' && typeof format === 'string' ? format : one;
    })
    .join(' or ');
}

function plural(document: Json, items: unknown): string {
  const type = typeOf(document, items);
  return /^\w+$/.test(type) ? `${type}s` : `(${type})`;
}

/** The schema without its alternative `null`. */
function nonNull(schema: Json): unknown {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf)) return schema;
  return anyOf.find((one) => (one as Json)['type'] !== 'null') ?? schema;
}

function descriptionOf(document: Json, schema: unknown): string {
  const own = (schema as Json)['description'] ?? resolve(document, schema)['description'];
  return typeof own === 'string' ? own : '';
}
