/** A JSON Schema, as far as `openapi.json` uses it. */
export type Schema = {
  readonly $ref?: string;
  /** A type of JSON, or `undefined`. */
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly default?: string | number;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Schemas;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
};
export type Schemas = Readonly<Record<string, Schema>>;

/** A schema and all schemas inside it, each with the name of the field that it is of; the first has none. */
export function* listNested(schema: Schema, field = ''): Generator<readonly [string, Schema]> {
  yield [field, schema];
  const { items, additionalProperties, anyOf = [], allOf = [], properties = {} } = schema;
  for (const one of [items, additionalProperties, ...anyOf, ...allOf]) {
    if (typeof one === 'object') yield* listNested(one, field);
  }
  for (const [name, one] of Object.entries(properties)) yield* listNested(one, name);
}

/** Whether a schema allows numbers that are not whole. */
export function isDecimal({ type, const: only }: Schema): boolean {
  return [type].flat().includes('number') && only === undefined;
}

/** The name of the schema that a reference leads to; undefined for no reference. */
export function referredName({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1);
}
