import { absentable, integer, object, oneOf, orNull, type Schema } from './schema.ts';

/**
 * What a caller may write in one place: the schema for the reference, the words of its 400, and a parser, which makes of it
 * what the service works with: a date, a list of codes, a requester. One field reads a parameter, or a field of a body.
 *
 * A field does not know who reads it: `refuse` of its place throws the 400 of a request, or collects all problems.
 */
export type Field<Value = unknown, S extends Schema = Schema> = {
  readonly schema: S;
  /** The end of its 400, behind "expected": `a whole number from 1 to 365`. Empty if it refuses nothing. */
  readonly expected: string;
  /** Whether it may be left out. */
  readonly isOptional?: boolean;
  /** Reads what was written, undefined for nothing. Undefined if it was refused. */
  readonly read: (given: unknown, at: Place) => Value | undefined;
};

/** What is wrong in a place. */
export type Problem =
  | { readonly kind: 'malformed'; readonly expected: string }
  /** The object must not have this field. */
  | { readonly kind: 'unknown' };

/** A place in what was written. */
export type Place = {
  /** `limit`, `trader.name`; empty for a whole body. */
  readonly path: string;
  /** What was read of the same object, or of the same request, before. */
  readonly before: Readonly<Record<string, unknown>>;
  readonly refuse: (path: string, problem: Problem) => undefined;
};

/** What a field reads. */
export type ReadBy<F> = F extends Field<infer Value> ? Value : never;

type Fields = { readonly [name: string]: Field };

/** An object of fields. */
export type ObjectField<F extends Fields> = Field<{ readonly [N in keyof F]: ReadBy<F[N]> }> & {
  readonly fields: F;
};

/** A field of one value; `parse` returns undefined for what it does not accept. */
export function value<Value, S extends Schema>(
  schema: S,
  expected: string,
  parse: (given: unknown, before: Place['before']) => Value | undefined,
): Field<Value, S> {
  return {
    schema,
    expected,
    read: (given, at) => {
      const read = parse(given, at.before);
      return read === undefined ? refuse(at, expected) : read;
    },
  };
}

/** A field whose value is a text, as every parameter is. */
export function text<Value, S extends Schema>(
  schema: S,
  expected: string,
  parse: (text: string, before: Place['before']) => Value | undefined,
): Field<Value, S> {
  return value(schema, expected, (given, before) =>
    typeof given === 'string' ? parse(given, before) : undefined,
  );
}

/** Any text; its place refuses nothing, such as a part of a path that the handler looks up. */
export function anyText(schema: Schema): Field<string> {
  return text(schema, '', (given) => given);
}

/** A text that matches a pattern. */
export function matching(pattern: RegExp, expected: string, schema: Schema): Field<string> {
  return text(schema, expected, (given) => (pattern.test(given) ? given : undefined));
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
export function namedFields(fields: Fields): Field<Readonly<Record<string, unknown>>> {
  const expected = 'a JSON object';
  return {
    schema: object({}),
    expected,
    read: (given, at) => {
      if (typeof given !== 'object' || given === null || Array.isArray(given)) {
        return refuse(at, expected);
      }
      const unknown = Object.keys(given).find((name) => !Object.hasOwn(fields, name));
      if (unknown !== undefined) return at.refuse(pathOf(at, unknown), { kind: 'unknown' });
      return given as Readonly<Record<string, unknown>>;
    },
  };
}

function pathOf({ path }: Place, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** An object of fields. Its names are checked before its values, which are read in this order. */
export function objectOf<F extends Fields>(
  fields: F,
  keywords: { readonly [keyword: string]: unknown } = {},
): ObjectField<F> {
  const named = namedFields(fields);
  const properties = Object.entries(fields).map(([name, { schema, isOptional = false }]) => [
    name,
    isOptional ? absentable(schema) : schema,
  ]);
  return {
    schema: object(Object.fromEntries(properties), { additionalProperties: false, ...keywords }),
    expected: named.expected,
    fields,
    read: (given, at) => {
      const sent = named.read(given, at);
      if (sent === undefined) return undefined;
      const before: Record<string, unknown> = {};
      for (const [name, field] of Object.entries(fields)) {
        before[name] = field.read(sent[name], { ...at, path: pathOf(at, name), before });
      }
      return before as ReadBy<ObjectField<F>>;
    },
  };
}

/** A field that may be left out, and is then `byDefault`. */
export function optional<Value>(inner: Field<Value>): Field<Value | undefined>;
export function optional<Value, D>(inner: Field<Value>, byDefault: D): Field<Value | D>;
export function optional(inner: Field, byDefault?: unknown): Field {
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

/** A field whose value is made of that of another one; `refine` may refuse it. */
export function refined<Value, Refined>(
  inner: Field<Value>,
  refine: (read: Value, at: Place) => Refined | undefined,
): Field<Refined> {
  return {
    ...inner,
    read: (given, at) => {
      const read = inner.read(given, at);
      return read === undefined ? undefined : refine(read, at);
    },
  };
}

/** Refuses what was written in a place, or in `field` of it. */
export function refuse(at: Place, expected: string, field?: string): undefined {
  const path = field === undefined ? at.path : `${at.path}.${field}`;
  return at.refuse(path, { kind: 'malformed', expected });
}
