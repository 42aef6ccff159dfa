import { jsonNumber } from '../values/exact-json.ts';
import { isDecimalSchema, type Schema } from './schema.ts';

type Parts = {
  readonly type?: unknown;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

/**
 * The value as `JSON.stringify` prints it for a caller: each object has the properties of its schema and no other, in its order,
 * and each decimal its digits. A property that is undefined is left out.
 */
export function toWire<T>(schema: Schema<T>, value: T): object {
  return print(schema, value) as object;
}

function print(schema: Schema, value: unknown): unknown {
  if (isDecimalSchema(schema)) return jsonNumber(value as string);
  if (typeof value !== 'object' || value === null) {
    const { anyOf } = schema as Parts;
    return anyOf === undefined ? value : print(find(anyOf, value), value);
  }
  const { properties, patternProperties = {}, items, anyOf } = schema as Parts;
  if (anyOf !== undefined) return print(find(anyOf, value), value);
  if (Array.isArray(value))
    return items === undefined ? value : value.map((one) => print(items, one));
  if (properties !== undefined) {
    return printFields(Object.entries(properties), (name) => (value as Fields)[name]);
  }
  const [item] = Object.values(patternProperties);
  if (item === undefined) return value;
  return printFields(
    Object.keys(value).map((name) => [name, item]),
    (name) => (value as Fields)[name],
  );
}

type Fields = Readonly<Record<string, unknown>>;

function printFields(
  schemas: readonly (readonly [name: string, schema: Schema])[],
  valueOf: (name: string) => unknown,
): object {
  const printed: Record<string, unknown> = {};
  for (const [name, schema] of schemas) {
    const value = valueOf(name);
    if (value !== undefined) printed[name] = print(schema, value);
  }
  return printed;
}

/** The schema of a union that a value has. Objects are told apart by their constants. */
function find(schemas: readonly Schema[], value: unknown): Schema {
  const found = schemas.find((schema) => isOf(schema, value));
  if (found === undefined) throw new Error('a value has none of the schemas of its union');
  return found;
}

function isOf(schema: Schema, value: unknown): boolean {
  const { type, properties = {}, anyOf } = schema as Parts;
  if (anyOf !== undefined) return anyOf.some((one) => isOf(one, value));
  if (value === null) return type === 'null';
  if (Array.isArray(value)) return type === 'array';
  if (typeof value !== 'object') return !['null', 'array', 'object'].includes(String(type));
  return (
    type === 'object' &&
    Object.entries(properties).every(
      ([name, { const: constant }]) =>
        constant === undefined || (value as Fields)[name] === constant,
    )
  );
}
