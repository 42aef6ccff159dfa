/** A JSON object. */
export type Json = { readonly [Name in string]: unknown };

/**
 * Prints schemas for the document. A schema with an `$id` becomes a component, to which other schemas refer. Some forms
 * are replaced by equivalent ones that tools read better.
 */
export class SchemaPrinter {
  readonly #components = new Map<string, unknown>();

  /** The schemas with an `$id` that were printed so far, by name. */
  get components(): Json {
    const sorted = [...this.#components].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted);
  }

  print(schema: unknown): unknown {
    // Through JSON, which leaves out internal fields of the library.
    return this.#print(JSON.parse(JSON.stringify(schema)));
  }

  #print(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((one) => this.#print(one));
    if (typeof schema !== 'object' || schema === null) return schema;
    const { $id, ...rest } = schema as Json;
    const printed = simplify(
      Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, this.#print(value)])),
    );
    if (typeof $id !== 'string') return printed;
    const known = this.#components.get($id);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(printed)) {
      throw new Error(`two schemas are named ${$id}`);
    }
    this.#components.set($id, printed);
    return { $ref: `#/components/schemas/${$id}` };
  }
}

/** The description of a field that may be null: first its own, then that of its values, such as their unit. */
function describe({ description: ofValue }: Json, { description: own }: Json): Json {
  const texts = [own, ofValue].filter((one) => typeof one === 'string');
  return texts.length === 0 ? {} : { description: texts.join(' ') };
}

function simplify(schema: Json): Json {
  const { anyOf, patternProperties, ...rest } = schema;
  if (Array.isArray(anyOf)) {
    const [first, second] = anyOf as readonly Json[];
    const texts = (anyOf as readonly Json[]).map((one) => one['const']);
    // A list of values instead of a schema for each.
    if (texts.every((text) => typeof text === 'string')) {
      return { type: 'string', enum: texts, ...rest };
    }
    // `type: [x, null]` instead of two schemas.
    if (anyOf.length === 2 && second?.['type'] === 'null' && typeof first?.['type'] === 'string') {
      const values = first['enum'] === undefined ? {} : { enum: [...(first['enum'] as []), null] };
      return {
        ...first,
        ...values,
        type: [first['type'], 'null'],
        ...rest,
        ...describe(first, rest),
      };
    }
  }
  if (patternProperties !== undefined) {
    const [[pattern, value] = ['', {}]] = Object.entries(patternProperties as Json);
    return { ...rest, propertyNames: { pattern }, additionalProperties: value };
  }
  if (Array.isArray(schema['enum']) && schema['enum'].every((one) => typeof one === 'string')) {
    return { type: 'string', ...schema };
  }
  return schema;
}
