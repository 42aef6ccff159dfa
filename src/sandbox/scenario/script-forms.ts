import {
  choice,
  type Form,
  form,
  isObject,
  matchingForm,
  objectForm,
  optional,
  pathOf,
  type Place,
  type Problem,
  type ReadBy,
  refuse,
  textForm,
  whole,
} from '../../platform/fields/field.ts';
import { parseIsoDate } from '../../platform/time/time.ts';

type Forms = Readonly<Record<string, Form>>;

export type ReadScript<T> =
  | { readonly kind: 'script'; readonly script: T }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** Reads the whole body of a request and reports every problem with it: the path of the field, the value, and the expected form. */
export function readBody<T>(body: unknown, of: Form<T>): ReadScript<T> {
  const problems: string[] = [];
  const at: Place = {
    path: '',
    before: {},
    refuse: (path, problem) => {
      problems.push(`${path || 'body'}: ${describe(problem)}`);
    },
  };
  const script = of.read(body, at);
  return script === undefined || problems.length > 0
    ? { kind: 'invalid', problems }
    : { kind: 'script', script };
}

function describe(problem: Problem): string {
  if (problem.kind === 'unknown') {
    return `unknown field, expected one of ${problem.known.join(', ')}`;
  }
  const { given, expected } = problem;
  return `${given === undefined ? 'missing' : `got ${show(given)}`}, expected ${expected}`;
}

function show(given: unknown): string {
  const shown = JSON.stringify(given);
  return shown.length > 60 ? `${shown.slice(0, 60)}...` : shown;
}

/**
 * An object with all `fields`, and some of the `others`. What is absent stays absent: a script overwrites nothing else with
 * undefined.
 */
export function entry<F extends Forms, G extends Forms>(
  fields: F,
  others: G,
): Form<{ readonly [N in keyof F]: ReadBy<F[N]> } & { readonly [N in keyof G]?: ReadBy<G[N]> }> {
  const further = Object.entries(others).map(([name, one]) => [name, optional(one)]);
  const all: Form<object> = objectForm({ ...fields, ...Object.fromEntries(further) } as F);
  return {
    ...all,
    read: (given, at) => {
      let isRefused = false;
      const refuse: Place['refuse'] = (path, problem) => {
        isRefused = true;
        return at.refuse(path, problem);
      };
      const read = Object.entries(all.read(given, { ...at, refuse }) ?? {});
      const present = Object.fromEntries(read.filter(([, one]) => one !== undefined));
      return isRefused ? undefined : (present as never);
    },
  };
}

/** An object with some of these fields. */
export function part<G extends Forms>(fields: G): Form<{ readonly [N in keyof G]?: ReadBy<G[N]> }> {
  return entry({}, fields);
}

export function list<T>(item: Form<T>, max = Infinity): Form<readonly T[]> {
  const expected = 'a list';
  return {
    expected,
    read: (given, at) => {
      if (!Array.isArray(given)) return refuse(at, expected, given);
      if (given.length > max) refuse(at, `at most ${max}`, given.length);
      return given
        .map((one: unknown, index) => item.read(one, { ...at, path: `${at.path}[${index}]` }))
        .filter((one) => one !== undefined);
    },
  };
}

/** An object whose keys are data, such as country codes. */
export function record<T>(key: Form<string>, item: Form<T>): Form<Readonly<Record<string, T>>> {
  const expected = 'a JSON object';
  return {
    expected,
    read: (given, at) => {
      if (!isObject(given)) return refuse(at, expected, given);
      const entries = Object.entries(given).map(([name, one]) => {
        const place = { ...at, path: pathOf(at, name) };
        return [key.read(name, place), item.read(one, place)] as const;
      });
      return Object.fromEntries(entries) as Readonly<Record<string, T>>;
    },
  };
}

/** Accepts null as well; `meaning` is the meaning of null in an error: ` for ever`. */
export function orNull<T>(inner: Form<T>, meaning = ''): Form<T | null> {
  const ignored: Place = { path: '', before: {}, refuse: () => undefined };
  return form(`${inner.expected}, or null${meaning}`, (given) =>
    given === null ? null : inner.read(given, ignored),
  );
}

/** Forms that several parts of a script use. */

export const boolean = form('true or false', (given) =>
  typeof given === 'boolean' ? given : undefined,
);

/** One of some words. */
export function oneOf<const T extends string>(words: readonly T[]): Form<T> {
  return choice(words, `one of ${words.join(', ')}`);
}

export const latencyMs = whole(0, 600_000);

/** The number of answers after which a fault heals. */
export const times = orNull(whole(1, 1_000_000), ' for ever');

export const currency = matchingForm(/^[A-Z]{3}$/, 'a currency like USD');

export const date = textForm('a date like 2026-03-03', parseIsoDate);

/** One of the known registry codes; `GR` is read as `EL`. */
export function memberState(expected: string, known: readonly string[]): Form<string> {
  return textForm(expected, (given) =>
    known.find((code) => code === (given === 'GR' ? 'EL' : given)),
  );
}
