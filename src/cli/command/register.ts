import { type Command as Registered, Option as RegisteredOption } from 'commander';
import { vatfx } from '../../platform/vatfx.ts';
import {
  anyText,
  type Argument,
  type Given,
  type NamedCommand,
  type Option,
  type Options,
  placeOf,
} from './command.ts';
import type { Io } from './io.ts';
import { operatorOf } from './operator.ts';
import { printReport } from './report.ts';

/** Registers a command with its argument, options and help. When it is called, all is read, and it runs with what was read. */
export function register(
  parent: Registered,
  io: Io,
  { words, says, ...command }: NamedCommand,
): void {
  const [name = '', argumentName] = words.split(' ');
  const { kind, argument, options = {}, examples } = command;
  const registered = parent.command(name).description(says);
  if (argumentName !== undefined) registered.argument(argumentName, argument?.says);
  if (kind !== 'plain') registered.option('--json', 'one JSON document on standard output');
  if (kind === 'changing') registered.option('--reason <text>', 'why, for the audit');
  for (const [key, option] of Object.entries(options)) registered.addOption(toFlag(key, option));
  registered.addHelpText('after', describeExamples(examples));
  registered.action(async (...given: unknown[]) => {
    const typed = given.at(-2) as Typed;
    const isJson = typed.json === true;
    const by = kind === 'changing' ? operatorOf(io, typed.reason) : undefined;
    const report = await command.run(io, {
      argument: argumentName && readArgument(given[0], argumentName, argument),
      options: readOptions(typed, options),
      isJson,
      by,
    });
    if (report !== undefined) printReport(io, report, isJson);
  });
}

/** What Commander has of the options: texts, lists of texts, and booleans. */
type Typed = {
  readonly [name: string]: unknown;
  readonly json?: boolean;
  readonly reason?: string;
};

/** Reads the argument; undefined if it may be left out and was. */
function readArgument(
  text: unknown,
  name: string,
  { form }: Pick<Argument, 'form'> = anyArgument,
): unknown {
  return text === undefined ? undefined : form.read(text, placeOf(`the ${name.slice(1, -1)}`));
}

const anyArgument = { form: anyText };

/** Reads the options that were given, in the order of the help. */
function readOptions(typed: Typed, options: Options): Given<Options> {
  const read = Object.entries(options).flatMap(([key, option]) => {
    const flag = toFlag(key, option);
    const given = typed[flag.attributeName()];
    // Commander has true for a flag `--no-…` that was not given.
    const isGiven = given !== undefined && given !== flag.negate;
    return isGiven ? [[key, option.form.read(given, placeOf(flag.long ?? ''))]] : [];
  });
  return Object.fromEntries(read);
}

function toFlag(key: string, { value, says, ...option }: Option): RegisteredOption {
  const name = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const flag = new RegisteredOption(`--${name} ${value}`.trimEnd(), says);
  flag.makeOptionMandatory(option.isRequired === true);
  if (option.byDefault !== undefined) flag.default(option.byDefault);
  if (option.isRepeated === true) {
    flag.argParser((text, before: readonly string[] | undefined) => [...(before ?? []), text]);
  }
  return flag;
}

function describeExamples(lines: readonly string[]): string {
  return `\nFor example:\n${lines.map((line) => `  ${vatfx(line)}`).join('\n')}`;
}

/** Adds the expected arguments to the errors of a command and its subcommands. */
export function completeErrors(command: Registered, parents: readonly string[] = []): void {
  const path = [...parents, command.name()];
  command.showHelpAfterError(describeExpected(command, path.join(' ')));
  for (const subcommand of command.commands) completeErrors(subcommand, path);
}

function describeExpected(command: Registered, path: string): string {
  const subcommands = command.commands.map((one) => one.name());
  const expected =
    subcommands.length > 0
      ? [`<${subcommands.join(' | ')}>`]
      : [
          ...command.registeredArguments.map((argument) => `<${argument.name()}>`),
          ...command.options
            .toSorted(mandatoryFirst)
            .map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`)),
        ];
  return `expected: ${[path, ...expected].join(' ')}\n"${path} --help" shows more`;
}

function mandatoryFirst(a: RegisteredOption, b: RegisteredOption): number {
  return Number(b.mandatory) - Number(a.mandatory);
}
