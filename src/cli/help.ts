import type { Command, Option } from 'commander';
import { examples } from './examples.ts';
import { vatfx } from '../platform/vatfx.ts';

/** Adds examples to the help of a command and its subcommands, and the expected arguments to their errors. */
export function completeHelp(command: Command, parents: readonly string[] = []): void {
  const path = [...parents, command.name()];
  const lines = examples[path.slice(1).join(' ')] ?? [];
  if (lines.length > 0) command.addHelpText('after', describeExamples(lines));
  command.showHelpAfterError(describeExpected(command, path.join(' ')));
  for (const subcommand of command.commands) completeHelp(subcommand, path);
}

function describeExamples(lines: readonly string[]): string {
  return `\nFor example:\n${lines.map((line) => `  ${vatfx(line)}`).join('\n')}`;
}

function describeExpected(command: Command, path: string): string {
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

function mandatoryFirst(a: Option, b: Option): number {
  return Number(b.mandatory) - Number(a.mandatory);
}
