import { typeNameOf } from './names.ts';
import { type Schema, type Schemas, isDecimal, referredName } from './schema.ts';

/** Lines of docstrings end before this column. */
const width = 100;

/** Prints schemas as types of TypeScript with docstrings. All fields are read-only. */
export class TypePrinter {
  readonly #decimal: string;
  /** The names of parts by their types without docstrings; undefined in a printer that prints such types. */
  readonly #parts: ReadonlyMap<string, string> | undefined;
  readonly #bare: TypePrinter;

  /** `decimal` is the type of a number that is not whole. `parts` are schemas that have a name wherever they are. */
  constructor(decimal: string, parts?: Schemas) {
    this.#decimal = decimal;
    this.#bare = parts === undefined ? this : new TypePrinter(decimal);
    const named = parts && Object.entries(parts);
    this.#parts = named && new Map(named.map(([name, one]) => [this.#bare.#print(one, ''), name]));
  }

  /** Prints the declaration of an exported type. */
  printType(name: string, schema: Schema): string {
    const type = this.#printOwn(schema, '');
    return `${printComment(schema, '')}export type ${name} = ${type};\n`;
  }

  /** Prints a schema, or the name of the part that it is. */
  #print(schema: Schema, indent: string): string {
    const { type, enum: values } = schema;
    if (Array.isArray(type)) {
      const one = { ...schema, ...(values && { enum: values.filter((value) => value !== null) }) };
      return type.map((name) => this.#print({ ...one, type: name }, indent)).join(' | ');
    }
    return this.#parts?.get(this.#bare.#print(schema, '')) ?? this.#printOwn(schema, indent);
  }

  #printOwn(schema: Schema, indent: string): string {
    const { type, anyOf, allOf, items, maxItems, properties, additionalProperties } = schema;
    const name = referredName(schema);
    if (name !== undefined) return typeNameOf(name) ?? name;
    if (anyOf !== undefined) return anyOf.map((one) => this.#print(one, indent)).join(' | ');
    if (allOf !== undefined) return allOf.map((one) => `(${this.#print(one, indent)})`).join(' & ');
    if (type === 'null' || type === 'undefined') return type;
    const values = listValues(schema);
    if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
    if (type === 'array' && maxItems === 0) return 'readonly []';
    if (type === 'array') return `readonly (${this.#print(items ?? {}, indent)})[]`;
    if (properties !== undefined) return this.#printObject(schema, indent);
    if (typeof additionalProperties === 'object') {
      return `Readonly<Record<string, ${this.#print(additionalProperties, indent)}>>`;
    }
    if (isDecimal(schema)) return this.#decimal;
    if (type === 'integer') return 'number';
    if (type === 'string' || type === 'boolean') return type;
    throw new Error(`no type is known for the schema ${JSON.stringify(schema)}`);
  }

  #printObject({ properties = {}, required = [] }: Schema, outer: string): string {
    const indent = `${outer}  `;
    const fields = Object.entries(properties).map(([name, schema]) => {
      const comment = this.#bare === this ? '' : printComment(schema, indent);
      const field = `readonly ${name}${required.includes(name) ? '' : '?'}`;
      return `${comment}${indent}${field}: ${this.#print(schema, indent)};\n`;
    });
    return `{\n${fields.join('')}${outer}}`;
  }
}

/** The values of a schema that allows no others, also of the pattern `^(valid|invalid|not processed)$`. */
function listValues({
  const: only,
  enum: values,
  pattern,
}: Schema): readonly unknown[] | undefined {
  if (only !== undefined) return [only];
  return values ?? /^\^\(([\w ]+(?:\|[\w ]+)*)\)\$$/.exec(pattern ?? '')?.[1]?.split('|');
}

function printComment(schema: Schema, indent: string): string {
  const text = describe(schema).replaceAll('*/', '* /');
  if (text === '') return '';
  if (indent.length + text.length + 7 <= width) return `${indent}/** ${text} */\n`;
  const lines = text.match(new RegExp(`\\S.{0,${width - indent.length - 4}}(?!\\S)`, 'g')) ?? [];
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

/** The description of a schema and of its values, with limits that the type does not state. */
function describe(schema: Schema): string {
  const {
    description,
    items,
    additionalProperties,
    minimum,
    maximum,
    maxLength,
    default: usual,
  } = schema;
  const ofValues = typeof additionalProperties === 'object' ? additionalProperties : items;
  const limits = [
    ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(usual === undefined ? [] : [`by default ${usual}`]),
  ].join(', ');
  const sentence = limits === '' ? undefined : `${limits[0]?.toUpperCase()}${limits.slice(1)}.`;
  const ofValue = ofValues?.properties === undefined ? ofValues?.description : undefined;
  return [description, ofValue, sentence].filter((one) => one !== undefined).join(' ');
}
