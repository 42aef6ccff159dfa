import { absentable, integer, object, oneOf, orNull, type Schema } from './schema.ts';

/**
 * What may be written in one place: the words of what was expected, and a parser, which makes of it what the service works
 * with: a date, a list of codes, a requester. A setting, an option of a command and a field of a script have forms.
 *
 * A form does not know who reads it: `refuse` of its place throws the 400 of a request, or collects all problems.
 */
export type Form<Value = unknown> = {
  /** The end of its error, behind "expected": `a whole number from 1 to 365`. Empty if it refuses nothing. */
  readonly expected: string;
  /** Whether it may be left out. */
  readonly isOptional?: boolean;
  /** Reads what was written, undefined for nothing. Undefined if it was refused. */
  readonly read: (given: unknown, at: Place) => Value | undefined;
};

/** A form of the API, with the schema for the reference: of a parameter, or of a field of a body. */
export type Field<Value = unknown, S extends Schema = Schema> = Form<Value> & {
  readonly schema: S;
};

/** What is wrong in a place. */
export type Problem =
  | { readonly kind: 'malformed'; readonly expected: string; readonly given: unknown }
  /** The object must not have this field; those that it may have. */
  | { readonly kind: 'unknown'; readonly known: readonly string[] };

/** A place in what was written. */
export type Place = {
  /** `limit`, `trader.name`; empty for a whole body. */
  readonly path: string;
  /** What was read of the same object, or of the same request, before. */
  readonly before: Readonly<Record<string, unknown>>;
  readonly refuse: (path: string, problem: Problem) => undefined;
};

/** The value that a field reads. Two cases keep `undefined` as a value, which one case would lose. */
export type ReadBy<F> =
  F extends Field<infer Value> ? Value : F extends Form<infer Value> ? Value : never;

type Forms = { readonly [name: string]: Form };
type Fields = { readonly [name: string]: Field };

/** What an object of forms reads. */
type ReadOf<F extends Forms> = { readonly [N in keyof F]: ReadBy<F[N]> };

/** An object of fields. */
export type ObjectField<F extends Fields> = Field<ReadOf<F>> & { readonly fields: F };

/** A form of one value; `parse` returns undefined for what it does not accept. */
export function form<Value>(
  expected: string,
  parse: (given: unknown, before: Place['before']) => Value | undefined,
): Form<Value> {
  return {
    expected,
    read: (given, at) => {
      const read = parse(given, at.before);
      return read === undefined ? refuse(at, expected, given) : read;
    },
  };
}

/** A form whose value is a text, as in a setting and in an option of a command. */
export function textForm<Value>(
  expected: string,
  parse: (text: string, before: Place['before']) => Value | undefined,
): Form<Value> {
  return form(expected, (given, before) =>
    typeof given === 'string' ? parse(given, before) : undefined,
  );
}

/** A form of a text that matches a pattern. */
export function matchingForm(pattern: RegExp, expected: string): Form<string> {
  return textForm(expected, (given) => (pattern.test(given) ? given : undefined));
}

/** A field of one value, as `form` makes it. */
export function value<Value, S extends Schema>(
  schema: S,
  expected: string,
  parse: (given: unknown, before: Place['before']) => Value | undefined,
): Field<Value, S> {
  return { schema, ...form(expected, parse) };
}

/** A field whose value is a text, as every parameter is. */
export function text<Value, S extends Schema>(
  schema: S,
  expected: string,
  parse: (text: string, before: Place['before']) => Value | undefined,
): Field<Value, S> {
  return { schema, ...textForm(expected, parse) };
}

/** Any text; its place refuses nothing, such as a part of a path that the handler looks up. */
export function anyText(schema: Schema): Field<string> {
  return text(schema, '', (given) => given);
}

/** A text that matches a pattern. */
export function matching(pattern: RegExp, expected: string, schema: Schema): Field<string> {
  return { schema, ...matchingForm(pattern, expected) };
}

/** One of some texts. */
export function choice<const T extends string>(
  values: readonly T[],
  expected: string,
  schema: Schema = oneOf(values),
): Field<T> {
  return text(schema, expected, (given) => values.find((one) => one === given));
}

/** A whole number in JSON, limits included. */
export function whole(
  min: number,
  max: number,
  keywords: { readonly [keyword: string]: unknown } = {},
): Field<number, Schema<number>> {
  return value(
    integer({ minimum: min, maximum: max, ...keywords }),
    `a whole number from ${min} to ${max}`,
    (given) =>
      typeof given === 'number' && Number.isInteger(given) && given >= min && given <= max
        ? given
        : undefined,
  );
}

/** An object that has no other fields than these (contract C35). Their values stay as they were sent. */
export function namedForm(fields: Forms): Form<Readonly<Record<string, unknown>>> {
  const expected = 'a JSON object';
  return {
    expected,
    read: (given, at) => {
      if (!isObject(given)) return refuse(at, expected, given);
      const known = Object.keys(fields);
      for (const name of Object.keys(given).filter((one) => !Object.hasOwn(fields, one))) {
        at.refuse(pathOf(at, name), { kind: 'unknown', known });
      }
      return given;
    },
  };
}

/** Whether a value is an object of JSON. */
export function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

/** An object of forms. Its names are checked before its values, which are read in this order. */
export function objectForm<F extends Forms>(fields: F): Form<ReadOf<F>> {
  const named = namedForm(fields);
  return {
    ...named,
    read: (given, at) => {
      const sent = named.read(given, at);
      if (sent === undefined) return undefined;
      const before: Record<string, unknown> = {};
      for (const [name, field] of Object.entries(fields)) {
        before[name] = field.read(sent[name], { ...at, path: pathOf(at, name), before });
      }
      return before as ReadOf<F>;
    },
  };
}

/** The path of a field of the object in a place. */
export function pathOf({ path }: Place, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** An object of fields, as `objectForm` reads it. */
export function objectOf<F extends Fields>(
  fields: F,
  keywords: { readonly [keyword: string]: unknown } = {},
): ObjectField<F> {
  const properties = Object.entries(fields).map(([name, { schema, isOptional = false }]) => [
    name,
    isOptional ? absentable(schema) : schema,
  ]);
  return {
    schema: object(Object.fromEntries(properties), { additionalProperties: false, ...keywords }),
    fields,
    ...objectForm(fields),
  };
}

/** What may be left out, and is then `byDefault`. */
export function optional<Value>(inner: Field<Value>): Field<Value | undefined>;
export function optional<Value, D>(inner: Field<Value>, byDefault: D): Field<Value | D>;
export function optional<Value>(inner: Form<Value>): Form<Value | undefined>;
export function optional(inner: Form, byDefault?: unknown): Form {
  return {
    ...inner,
    isOptional: true,
    read: (given, at) => (given === undefined ? byDefault : inner.read(given, at)),
  };
}

/** A field that may be left out or null, and is then `byDefault`; `description` is that of both. */
export function nullable<Value, D>(
  inner: Field<Value>,
  byDefault: D,
  description?: string,
): Field<Value | D> {
  const { read } = inner;
  return optional(
    {
      ...inner,
      schema: orNull(inner.schema, description),
      read: (given, at) => (given === null ? byDefault : read(given, at)),
    },
    byDefault,
  );
}

/** The same with a value that is made of what was read; `refine` may refuse it. */
export function refined<Value, Refined>(
  inner: Field<Value>,
  refine: (read: Value, at: Place) => Refined | undefined,
): Field<Refined>;
export function refined<Value, Refined>(
  inner: Form<Value>,
  refine: (read: Value, at: Place) => Refined | undefined,
): Form<Refined>;
export function refined(inner: Form, refine: (read: unknown, at: Place) => unknown): Form {
  return {
    ...inner,
    read: (given, at) => {
      const read = inner.read(given, at);
      return read === undefined ? undefined : refine(read, at);
    },
  };
}

/** Refuses what was written in a place. */
export function refuse(at: Place, expected: string, given?: unknown): undefined {
  return at.refuse(at.path, { kind: 'malformed', expected, given });
}
