import { type IsoDate, parseIsoDate } from '../../platform/time/time.ts';

/**
 * A shape checks and reads a value in the JSON of a script.
 *
 * It reports every problem with the value: the path of the field, the value, and the expected form. No
 * shape throws. The value that was read is used only if there are no problems.
 */
export interface Shape<T> {
  /** The expected form, as in `got 0, expected a whole number from 1 to 10`. */
  readonly expected: string;
  /** Reads a value that is given; undefined if it is not acceptable. */
  read(given: unknown, path: string, problems: string[]): T | undefined;
}

interface RequiredShape<T> extends Shape<T> {
  readonly isRequired: true;
}

type Fields = Readonly<Record<string, Shape<unknown>>>;

/** The type that a shape reads. */
export type ReadBy<S> = S extends Shape<infer T> ? T : never;

type ObjectOf<F extends Fields> = {
  readonly [K in keyof F as F[K] extends RequiredShape<unknown> ? K : never]: ReadBy<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends RequiredShape<unknown> ? never : K]?: ReadBy<F[K]>;
};

export type ReadScript<T> =
  | { readonly kind: 'script'; readonly script: T }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** Reads the whole body of a request and reports every problem with it. */
export function readBody<T>(shape: Shape<T>, body: unknown): ReadScript<T> {
  const problems: string[] = [];
  const script = shape.read(body, '', problems);
  return script === undefined || problems.length > 0
    ? { kind: 'invalid', problems }
    : { kind: 'script', script };
}

/** A single value; `accept` returns undefined for a value that is not acceptable. */
export function value<T>(expected: string, accept: (given: unknown) => T | undefined): Shape<T> {
  return {
    expected,
    read: (given, path, problems) => {
      const read = accept(given);
      if (read === undefined) problems.push(`${path}: got ${show(given)}, expected ${expected}`);
      return read;
    },
  };
}

export const boolean = value('true or false', (given) =>
  typeof given === 'boolean' ? given : undefined,
);

export function text(expected: string, isAcceptable: (given: string) => boolean): Shape<string> {
  return value(expected, (given) =>
    typeof given === 'string' && isAcceptable(given) ? given : undefined,
  );
}

export function count(min: number, max: number): Shape<number> {
  return value(`a whole number from ${min} to ${max}`, (given) => {
    const isCount = typeof given === 'number' && Number.isInteger(given);
    return isCount && given >= min && given <= max ? given : undefined;
  });
}

export function oneOf<const T extends string | number>(
  words: readonly T[],
  expected = `one of ${words.join(', ')}`,
): Shape<T> {
  return value(expected, (given) => words.find((word) => word === given));
}

/** Accepts null as well; `meaning` is the meaning of null for the sentence of a problem: ` for ever`. */
export function orNull<T>(shape: Shape<T>, meaning = ''): Shape<T | null> {
  return value(`${shape.expected}, or null${meaning}`, (given) =>
    given === null ? null : shape.read(given, '', []),
  );
}

/** A field that an object must have. */
export function required<T>(shape: Shape<T>): RequiredShape<T> {
  return { ...shape, isRequired: true };
}

/** A shape with a function that converts the value after it was read. */
export function map<A, B>(shape: Shape<A>, change: (read: A) => B): Shape<B> {
  return {
    expected: shape.expected,
    read: (given, path, problems) => {
      const read = shape.read(given, path, problems);
      return read === undefined ? undefined : change(read);
    },
  };
}

/**
 * An object without fields other than these. `check` reports a combination of fields that is not
 * allowed, as the name of a field (empty for the object itself) and a problem.
 */
export function object<F extends Fields>(
  fields: F,
  check?: (given: JsonObject) => readonly [name: string, problem: string] | undefined,
): Shape<ObjectOf<F>> {
  return {
    expected: 'an object',
    read: (given, path, problems) => {
      if (!isObject(given)) return refuse(given, path, 'an object', problems);
      for (const name of Object.keys(given)) {
        if (Object.hasOwn(fields, name)) continue;
        const known = Object.keys(fields).join(', ');
        problems.push(`${fieldPath(path, name)}: unknown field, expected one of ${known}`);
      }
      const [name, problem] = check?.(given) ?? [];
      if (name !== undefined) problems.push(`${fieldPath(path, name)}: ${problem}`);

      const read = Object.entries(fields).map(([field, shape]) => {
        const isMissing = given[field] === undefined;
        if (isMissing && 'isRequired' in shape) {
          problems.push(`${fieldPath(path, field)}: missing, expected ${shape.expected}`);
        }
        return [
          field,
          isMissing ? undefined : shape.read(given[field], fieldPath(path, field), problems),
        ];
      });
      // Absent fields stay absent: a script must not overwrite other fields with undefined.
      return Object.fromEntries(read.filter(([, one]) => one !== undefined)) as ObjectOf<F>;
    },
  };
}

export function list<T>(item: Shape<T>, max = Infinity): Shape<readonly T[]> {
  return {
    expected: 'a list',
    read: (given, path, problems) => {
      if (!Array.isArray(given)) return refuse(given, path, 'a list', problems);
      if (given.length > max) {
        problems.push(`${path}: got ${given.length}, expected at most ${max}`);
      }
      return given
        .map((one: unknown, index) => item.read(one, `${path}[${index}]`, problems))
        .filter((one) => one !== undefined);
    },
  };
}

/** An object whose keys are data, such as country codes; the shape of the keys checks each of them. */
export function record<T>(key: Shape<string>, item: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return {
    expected: 'an object',
    read: (given, path, problems) => {
      if (!isObject(given)) return refuse(given, path, 'an object', problems);
      const entries = Object.entries(given).map(([name, one]) => {
        const known = key.read(name, '', []);
        if (known === undefined)
          problems.push(`${fieldPath(path, name)}: expected ${key.expected}`);
        return [known ?? name, item.read(one, fieldPath(path, name), problems)] as const;
      });
      return Object.fromEntries(entries) as Readonly<Record<string, T>>;
    },
  };
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(given: unknown): given is JsonObject {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

function refuse(given: unknown, path: string, expected: string, problems: string[]): undefined {
  problems.push(`${path || 'body'}: got ${show(given)}, expected ${expected}`);
}

function fieldPath(path: string, name: string): string {
  return path === '' || name === '' ? path + name : `${path}.${name}`;
}

function show(given: unknown): string {
  const shown = JSON.stringify(given) ?? 'nothing';
  return shown.length > 60 ? `${shown.slice(0, 60)}...` : shown;
}

/** Shapes that several parts of a script use. */

export const latencyMs = count(0, 600_000);

/** The number of answers after which a fault heals. */
export const times = orNull(count(1, 1_000_000), ' for ever');

export const currency = text('a currency like USD', (given) => /^[A-Z]{3}$/.test(given));

export const date: Shape<IsoDate> = value('a date like 2026-03-03', (given) =>
  typeof given === 'string' ? parseIsoDate(given) : undefined,
);

/** One of the known registry codes; `GR` is read as `EL`. */
export function memberState(expected: string, known: readonly string[]): Shape<string> {
  return value(expected, (given) => known.find((code) => code === (given === 'GR' ? 'EL' : given)));
}
