import { jsonNumber } from '../values/exact-json.ts';
import { isDecimalSchema, isWrittenSchema, type Schema } from './schema.ts';

type Parts = {
  readonly type?: unknown;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

type Fields = Readonly<Record<string, unknown>>;
/** Prints the value of a schema; undefined for a schema whose values stay as they are. */
type Printer = ((value: unknown) => unknown) | undefined;

/** Made once for each schema: to look at the schema for each value takes ten times as long. */
const printers = new WeakMap<Schema, { readonly print: Printer }>();

/**
 * The value as `JSON.stringify` prints it for a caller: each object has the properties of its schema and no other, in its order,
 * and each decimal its digits. A property that is undefined is left out.
 */
export function toWire<T>(schema: Schema<T>, value: T): object {
  const { print } = printers.getOrInsertComputed(schema, () => ({ print: printerOf(schema) }));
  return (print === undefined ? value : print(value)) as object;
}

function printerOf(schema: Schema): Printer {
  const { properties, patternProperties, items, anyOf } = schema as Parts;
  if (isWrittenSchema(schema)) return undefined;
  if (isDecimalSchema(schema)) return (value) => jsonNumber(value as string);
  if (anyOf !== undefined) return ofUnion(anyOf);
  if (items !== undefined) {
    const print = printerOf(items);
    return print && ((value) => (value as readonly unknown[]).map(print));
  }
  if (properties !== undefined) return ofObject(properties);
  const [item] = Object.values(patternProperties ?? {});
  const print = item && printerOf(item);
  return (
    print &&
    ((value) =>
      Object.fromEntries(Object.entries(value as Fields).map(([name, one]) => [name, print(one)])))
  );
}

function ofObject(properties: NonNullable<Parts['properties']>): Printer {
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, printerOf(schema)] as const,
  );
  return (value) => {
    const printed: Record<string, unknown> = {};
    for (const [name, print] of fields) {
      const given = (value as Fields)[name];
      if (given !== undefined) printed[name] = print === undefined ? given : print(given);
    }
    return printed;
  };
}

/** Objects are told apart by those of their constants that are never absent. */
function ofUnion(schemas: readonly Schema[]): Printer {
  const all = schemas.map((schema) => ({ isOf: testOf(schema), print: printerOf(schema) }));
  if (all.every(({ print }) => print === undefined)) return undefined;
  return (value) => {
    const found = all.find(({ isOf }) => isOf(value));
    if (found === undefined) throw new Error('a value has none of the schemas of its union');
    return found.print === undefined ? value : found.print(value);
  };
}

/** Whether a value can be one of a schema. */
function testOf(schema: Schema): (value: unknown) => boolean {
  const { type, properties = {}, required = [], anyOf } = schema as Parts;
  if (anyOf !== undefined) {
    const tests = anyOf.map(testOf);
    return (value) => tests.some((isOf) => isOf(value));
  }
  const constants = required.flatMap((name) => {
    const constant = properties[name]?.['const'];
    return constant === undefined ? [] : [[name, constant] as const];
  });
  return (value) => {
    if (typeof value !== 'object') return !['null', 'array', 'object'].includes(String(type));
    if (value === null || Array.isArray(value)) return type === (value === null ? 'null' : 'array');
    const fields = value as Fields;
    return type === 'object' && constants.every(([name, constant]) => fields[name] === constant);
  };
}
