/**
 * JSON Schemas as plain data that know the type of their values. Each is written once, beside its route: the reference
 * prints it, requests and printers take their types from it, and so do the types of the client.
 *
 * A library for this costs 5 to 130 ms of each start from sources (docs/decisions/dependencies.md); these cost 0.1 ms.
 */
declare const ofValue: unique symbol;
const mayBeAbsent = Symbol('may be absent');
const isDecimal = Symbol('decimal');
const isAsWritten = Symbol('as written');

type Keywords = { readonly [keyword: string]: unknown };

/** A schema for values of the type `T`, as the service has them before they are printed. */
export type Schema<T = unknown> = Keywords & { readonly [ofValue]?: T };

/** The type of the values of a schema: a decimal is the text of its digits. */
export type ValueOf<S> = S extends { readonly [ofValue]?: infer T } ? T : never;

/** A property that may be absent. */
export type Absentable = { readonly [mayBeAbsent]: true };

type Properties = { readonly [name: string]: Schema };
type AbsentableNames<P> = { [N in keyof P]: P[N] extends Absentable ? N : never }[keyof P];
type ObjectOf<P extends Properties> = {
  readonly [N in Exclude<keyof P, AbsentableNames<P>>]: ValueOf<P[N]>;
} & { readonly [N in AbsentableNames<P>]?: ValueOf<P[N]> | undefined };

/** An object; answers have its properties in this order. */
export type ObjectSchema<P extends Properties = Properties> = Schema<ObjectOf<P>> & {
  readonly properties: P;
};

export const nothing: Schema<null> = { type: 'null' };

export function string<const K extends Keywords>(keywords?: K): Schema<string> & K;
export function string(keywords: Keywords = {}): Schema<string> {
  return { type: 'string', ...keywords };
}

export function integer(keywords: Keywords = {}): Schema<number> {
  return { type: 'integer', ...keywords };
}

export function number(keywords: Keywords = {}): Schema<number> {
  return { type: 'number', ...keywords };
}

export function boolean(keywords: Keywords = {}): Schema<boolean> {
  return { type: 'boolean', ...keywords };
}

/** A number that the service has as text, and prints with the same digits (contract C11). */
export function decimal(keywords: Keywords = {}): Schema<string> {
  return { type: 'number', ...keywords, [isDecimal]: true };
}

export function literal<const T extends string | number>(
  value: T,
  keywords: Keywords = {},
): Schema<T> {
  return { type: typeof value, const: value, ...keywords };
}

export function oneOf<const T extends string>(
  values: readonly T[],
  keywords: Keywords = {},
): Schema<T> {
  return { type: 'string', enum: values, ...keywords };
}

export function list<S extends Schema>(
  items: S,
  keywords: Keywords = {},
): Schema<readonly ValueOf<S>[]> {
  return { type: 'array', items, ...keywords };
}

export function object<P extends Properties>(
  properties: P,
  keywords: Keywords = {},
): ObjectSchema<P> {
  const required = Object.entries(properties).flatMap(([name, one]) =>
    mayBeAbsent in one ? [] : [name],
  );
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties,
    ...keywords,
  };
}

/** An object whose names are data, each of them as `key` says. */
export function record<S extends Schema>(
  key: Schema<string> & { readonly pattern?: string },
  value: S,
  keywords: Keywords = {},
): Schema<Readonly<Record<string, ValueOf<S>>>> {
  return { type: 'object', patternProperties: { [key.pattern ?? '^.*$']: value }, ...keywords };
}

export function union<const S extends readonly Schema[]>(
  schemas: S,
  keywords: Keywords = {},
): Schema<ValueOf<S[number]>> {
  return { anyOf: schemas, ...keywords };
}

/** A schema that also allows null; `description` is that of both. */
export function orNull<S extends Schema>(
  schema: S,
  description?: string,
): Schema<ValueOf<S> | null> {
  return union([schema, nothing], description === undefined ? {} : { description });
}

/** A property that may be absent. */
export function absentable<S extends Schema>(schema: S): S & Absentable {
  return { ...schema, [mayBeAbsent]: true };
}

/** The schema with another description. */
export function describe<S extends Schema>(schema: S, description: string): S {
  return { ...schema, description };
}

/** Whether a number of this schema is printed with the digits of its text. */
export function isDecimalSchema(schema: Schema): boolean {
  return isDecimal in schema;
}

/** A schema whose values are printed as the service has them: its objects keep the order of their own fields. */
export function asWritten<S extends Schema>(schema: S): S {
  return { ...schema, [isAsWritten]: true };
}

/** Whether values of this schema are printed as the service has them. */
export function isWrittenSchema(schema: Schema): boolean {
  return isAsWritten in schema;
}
