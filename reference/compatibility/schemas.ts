import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { Json } from '../openapi/schemas.ts';

/** Who reads the values of a schema: callers read answers, the service reads requests. */
export type Direction = 'answer' | 'request';

/** A difference that breaks callers: the field (`rows[].rate`, empty for the whole value), and what it now does. */
export type Difference = { readonly field: string; readonly change: string };

/** A part of a schema with one type, or with one value. */
type Form = { readonly type: string; readonly schema: Json; readonly value?: unknown };

type Mark = { readonly name: string; readonly value: string };

const typeNames: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'a boolean',
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  array: 'a list',
  object: 'an object',
};
const anyType = ['null', 'boolean', 'number', 'string', 'array', 'object'];

const maxima = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const minima = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
/** Keywords of which nobody can say which of two values allows more. */
const incomparable = ['pattern', 'format', 'multipleOf', 'uniqueItems'];
const annotations = ['title', 'description', 'example', 'examples', 'default', 'deprecated'];
const structure = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'items', 'properties', 'required'];
const known = new Set([
  ...maxima,
  ...minima,
  ...incomparable,
  ...structure,
  'additionalProperties',
  'propertyNames',
]);

const ajv = new Ajv2020({ strict: false });
ajvFormats.default(ajv);

/**
 * Lists what breaks callers if `earlier` becomes `present`; neither has references.
 *
 * What one side sends must be what the other side expects. In an answer the service sends by the present schema to callers
 * who know the earlier one; in a request callers send by the earlier one, and the service expects the present one.
 *
 * @throws If a schema has a keyword that is not compared.
 */
export function compareSchemas(
  direction: Direction,
  earlier: unknown,
  present: unknown,
): readonly Difference[] {
  const comparison = new Comparison(direction);
  return direction === 'answer'
    ? comparison.compare('', present, earlier)
    : comparison.compare('', earlier, present);
}

class Comparison {
  readonly #direction: Direction;

  constructor(direction: Direction) {
    this.#direction = direction;
  }

  compare(field: string, sent: unknown, expected: unknown): readonly Difference[] {
    if (isAnything(expected)) return [];
    const [forms, expectedForms] = [listForms(sent), listForms(expected)];
    const differences = forms.flatMap((form) => {
      const ofType = expectedForms.filter((one) => hasType(form, one.type));
      if (ofType.length === 0) return this.#mayBe(field, typeNames[form.type] ?? form.type);
      const comparable = ofType.filter((one) => 'value' in form || !('value' in one));
      if (comparable.length === 0) {
        const list = ofType.map(({ value }) => quote(value)).join(', ');
        return this.#say(field, `may be something else than ${list}`, `takes only ${list}`);
      }
      const mark = findMark(form, forms);
      const alike = comparable.filter((one) => isLike(one, mark));
      if (mark !== undefined && alike.length === 0) {
        return this.#mayBe(field === '' ? mark.name : `${field}.${mark.name}`, quote(mark.value));
      }
      // The nearest of several forms says most about what is different.
      const [nearest = []] = alike
        .map((one) => this.#compareForms(nameForm(field, mark), form, one))
        .sort((a, b) => a.length - b.length);
      return nearest;
    });
    const all = [...differences, ...this.#compareDefaults(field, sent, expected)];
    const byText = new Map(all.map((one) => [`${one.field} ${one.change}`, one]));
    return [...byText.values()];
  }

  #compareForms(field: string, sent: Form, expected: Form): readonly Difference[] {
    if ('value' in sent) {
      const isExpected =
        'value' in expected
          ? isDeepStrictEqual(sent.value, expected.value)
          : ajv.validate(expected.schema, sent.value);
      return isExpected ? [] : this.#mayBe(field, quote(sent.value));
    }
    return [
      ...this.#compareLimits(field, sent.schema, expected.schema),
      ...(sent.type === 'array'
        ? this.compare(`${field}[]`, sent.schema['items'], expected.schema['items'])
        : []),
      ...(sent.type === 'object' ? this.#compareObjects(field, sent.schema, expected.schema) : []),
    ];
  }

  #compareLimits(field: string, sent: Json, expected: Json): readonly Difference[] {
    const isBeyond = (name: string): boolean => {
      const [mine, other] = [sent[name], expected[name]];
      if (other === undefined || isDeepStrictEqual(mine, other)) return false;
      if (mine === undefined || incomparable.includes(name)) return true;
      return maxima.includes(name) ? Number(mine) > Number(other) : Number(mine) < Number(other);
    };
    const [earlier, present] = this.#direction === 'answer' ? [expected, sent] : [sent, expected];
    return [...maxima, ...minima, ...incomparable].filter(isBeyond).map((name) => {
      return { field, change: describeKeyword(name, earlier[name], present[name]) };
    });
  }

  #compareObjects(field: string, sent: Json, expected: Json): readonly Difference[] {
    const [sentFields, expectedFields] = [fieldsOf(sent), fieldsOf(expected)];
    const [earlier, present] =
      this.#direction === 'answer' ? [expectedFields, sentFields] : [sentFields, expectedFields];
    const names = [...new Set([...Object.keys(earlier), ...Object.keys(present)])];
    const required = (expected['required'] ?? []) as readonly string[];
    const certain = (sent['required'] ?? []) as readonly string[];
    return [
      ...names.flatMap((name) => {
        const inner = field === '' ? name : `${field}.${name}`;
        const sentField = sentFields[name] ?? schemaOfOthers(sent);
        const expectedField = expectedFields[name] ?? schemaOfOthers(expected);
        const isAbsent = required.includes(name) && !certain.includes(name);
        if (sentField === undefined || expectedField === undefined) {
          if (present[name] === undefined) return [{ field: inner, change: 'is gone' }];
          if (isAbsent) return this.#say(inner, 'may be absent', 'must be given');
          const isClosed = expected['additionalProperties'] === false;
          return isClosed && expectedField === undefined
            ? [{ field: inner, change: 'is new' }]
            : [];
        }
        return [
          ...(isAbsent ? this.#say(inner, 'may be absent', 'must be given') : []),
          ...this.compare(inner, sentField, expectedField),
        ];
      }),
      ...this.#compareOthers(field, sent, expected),
    ];
  }

  /** Compares the fields without a name in the schemas, which `{}` stands for. */
  #compareOthers(field: string, sent: Json, expected: Json): readonly Difference[] {
    const others = field === '' ? '{}' : `${field}{}`;
    const [sentOthers, expectedOthers] = [schemaOfOthers(sent), schemaOfOthers(expected)];
    const isClosed = sent['additionalProperties'] === false;
    if (expected['additionalProperties'] === false && !isClosed) {
      return this.#say(others, 'may be present', 'is refused');
    }
    if (expectedOthers === undefined) return [];
    if (sentOthers === undefined) {
      if (this.#direction === 'answer') return [{ field: others, change: 'is gone' }];
      return isClosed ? [] : [{ field: others, change: 'no longer takes every value' }];
    }
    const names = [sent, expected].map((one) => one['propertyNames'] ?? { type: 'string' });
    return [
      ...this.compare(`${others} (name)`, names[0], names[1]),
      ...this.compare(others, sentOthers, expectedOthers),
    ];
  }

  /** A caller who leaves a field out gets what the default says. */
  #compareDefaults(field: string, sent: unknown, expected: unknown): readonly Difference[] {
    const [before, now] = [sent, expected].map((one) => (one as Json | undefined)?.['default']);
    if (this.#direction === 'answer' || before === undefined || isDeepStrictEqual(before, now)) {
      return [];
    }
    return [{ field, change: describeKeyword('default', before, now) }];
  }

  #mayBe(field: string, what: string): readonly Difference[] {
    return this.#say(field, `may be ${what}`, `no longer takes ${what}`);
  }

  #say(field: string, inAnswer: string, inRequest: string): readonly Difference[] {
    return [{ field, change: this.#direction === 'answer' ? inAnswer : inRequest }];
  }
}

/** @throws If the schema has a keyword that is not compared. */
function listForms(given: unknown): readonly Form[] {
  const schema = (typeof given === 'object' ? given : {}) as Json;
  const unknown = Object.keys(schema).filter((name) => !known.has(name) && !isAnnotation(name));
  const union = (schema['anyOf'] ?? schema['oneOf']) as readonly unknown[] | undefined;
  if (union !== undefined) {
    const beside = Object.keys(schema).filter((name) => !isAnnotation(name));
    if (beside.length === 1 && unknown.length === 0) return union.flatMap(listForms);
    unknown.push(...beside);
  }
  if (unknown.length > 0) {
    throw new Error(`reference/compatibility does not compare the keywords ${unknown.join(', ')}`);
  }
  const types = [(schema['type'] ?? anyType) as string | readonly string[]].flat();
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  if (values !== undefined) {
    return (values as readonly unknown[])
      .map((value) => ({ type: typeOf(value), schema, value }))
      .filter((form) => types.some((type) => hasType(form, type)));
  }
  return types.flatMap((type) => {
    if (type === 'null') return [{ type, schema, value: null }];
    if (type === 'boolean') return [true, false].map((value) => ({ type, schema, value }));
    return [{ type, schema }];
  });
}

/** The field whose fixed value distinguishes an object from the other forms, such as the type of an event. */
function findMark(form: Form, forms: readonly Form[]): Mark | undefined {
  const others = forms.filter((one) => one !== form && one.type === 'object');
  return Object.keys(fieldsOf(form.schema))
    .map((name) => ({ name, value: fixedIn(form, name) }))
    .find(
      (mark): mark is Mark =>
        typeof mark.value === 'string' &&
        others.some((one) => fixedIn(one, mark.name) !== mark.value),
    );
}

/** Whether a form has the mark, or no fixed value there. */
function isLike(form: Form, mark: Mark | undefined): boolean {
  const value = mark && fixedIn(form, mark.name);
  return value === undefined || value === mark?.value;
}

function fixedIn({ schema }: Form, name: string): unknown {
  return (fieldsOf(schema)[name] as Json | undefined)?.['const'];
}

/** The field and the mark of a form, such as `errata[kind=goods]`. */
function nameForm(field: string, mark: Mark | undefined): string {
  if (mark === undefined) return field;
  const text = `${mark.name}=${mark.value}`;
  return /[\]}]$/.test(field) ? field.replace(/.$/, `${text}$&`) : `${field}{${text}}`;
}

function isAnything(schema: unknown): boolean {
  return Object.keys(schema ?? {}).every(isAnnotation);
}

function isAnnotation(keyword: string): boolean {
  return annotations.includes(keyword) || keyword.startsWith('x-');
}

function hasType({ type }: Form, other: string): boolean {
  return type === other || (type === 'integer' && other === 'number');
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function fieldsOf(schema: Json): Json {
  return (schema['properties'] ?? {}) as Json;
}

/** The schema of fields that have no name in the schema; undefined if it says nothing about them. */
function schemaOfOthers({ additionalProperties: others }: Json): unknown {
  return typeof others === 'object' ? others : undefined;
}

function describeKeyword(name: string, before: unknown, now: unknown): string {
  const [text, earlier] = [now, before].map((one) =>
    one === undefined ? 'none' : typeof one === 'number' ? one : quote(one),
  );
  return `has \`${name}\` ${text} instead of ${earlier}`;
}

function quote(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
