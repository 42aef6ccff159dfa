import type { Operator } from '../../platform/database/audit.ts';
import { type Form, type Place, type ReadBy, textForm } from '../../platform/fields/field.ts';
import type { Io } from './io.ts';
import { type Report, UsageError } from './report.ts';

export const anyText = textForm('', (text) => text);

/** An option of a command. Its flag is its name in the list of options: `rateLimit` is `--rate-limit`. */
export type Option<Value = unknown> = {
  /** `<limit>`; empty for an option without a value. */
  readonly value: string;
  readonly says: string;
  /** The form of its text, or of all its texts if it may be repeated. */
  readonly form: Form<Value>;
  readonly isRequired?: boolean;
  readonly byDefault?: string;
  readonly isRepeated?: boolean;
};

type Required<Value = unknown> = Option<Value> & { readonly isRequired: true };
type WithDefault<Value = unknown> = Option<Value> & { readonly byDefault: string };

export function option<Value>(value: string, says: string, form: Form<Value>): Option<Value> {
  return { value, says, form };
}

export function required<Value>(value: string, says: string, form: Form<Value>): Required<Value> {
  return { value, says, form, isRequired: true };
}

export function withDefault<Value>(
  value: string,
  says: string,
  { byDefault, form }: { readonly byDefault: string; readonly form: Form<Value> },
): WithDefault<Value> {
  return { value, says, form, byDefault };
}

/** An option that may be given several times. */
export function repeated<Value>(value: string, says: string, form: Form<Value>): Option<Value> {
  return { value, says, form, isRepeated: true };
}

/** An option without a value. */
export function flag(says: string): Option<true> {
  return { value: '', says, form: { expected: '', read: () => true } };
}

/** The argument of a command. */
export type Argument<Value = unknown> = { readonly says: string; readonly form: Form<Value> };

/** The place of a text that an operator typed: `--limit`, `the date`. What is refused there throws the `UsageError`. */
export function placeOf(name: string): Place {
  return {
    path: name,
    before: {},
    refuse: (path, problem) => {
      if (problem.kind === 'unknown') throw new Error(`${path} is no object`);
      throw new UsageError(`${path} is ${String(problem.given)}, expected ${problem.expected}`);
    },
  };
}

export type Options = { readonly [name: string]: Option };
type AlwaysGiven = Required | WithDefault;

/** The values of the options; options that were not given are left out. */
export type Given<O extends Options> = {
  readonly [N in keyof O as O[N] extends AlwaysGiven ? N : never]: ReadBy<O[N]['form']>;
} & { readonly [N in keyof O as O[N] extends AlwaysGiven ? never : N]?: ReadBy<O[N]['form']> };

type Spec<O extends Options, A, Further, Result> = {
  readonly examples: readonly string[];
  /** Left out if the argument is any text and the help says nothing of it, as of an id. */
  readonly argument?: Argument<A>;
  readonly options?: O;
  run(
    io: Io,
    given: { readonly argument: A; readonly options: Given<O> } & Further,
  ): Promise<Result>;
};

/** A command: its options and its work. */
export type Command = Spec<
  Options,
  unknown,
  { readonly isJson: boolean; readonly by: unknown },
  Report | undefined | void
> & {
  readonly kind: 'plain' | 'reporting' | 'changing';
};

/** How a command is called, with the form of its argument, such as `revoke <id>`; and what the help says of it. */
export type Name = { readonly words: string; readonly says: string };

/** A command of a group. A command without a group has its name in `commands.ts`, which lists it without loading it. */
export type NamedCommand = Command & Name;

/** A command that prints its output itself. */
export function plain<N extends Partial<Name>, O extends Options = {}, A = string>(
  spec: Spec<O, A, {}, void> & N,
): Command & N {
  return { kind: 'plain', ...spec } as Command & N;
}

/** A command with a report, which is a document with `--json`. It returns none if it has printed one itself. */
export function reporting<N extends Partial<Name>, O extends Options = {}, A = string>(
  spec: Spec<O, A, { readonly isJson: boolean }, Report | undefined> & N,
): Command & N {
  return { kind: 'reporting', ...spec } as Command & N;
}

/** The same for a command whose change the audit records, by whom and why. */
export function changing<N extends Partial<Name>, O extends Options = {}, A = string>(
  spec: Spec<O, A, { readonly isJson: boolean; readonly by: Operator }, Report | undefined> & N,
): Command & N {
  return { kind: 'changing', ...spec };
}
