import type { Command, Option } from 'commander';
import { examples } from './examples.ts';

/** Completes a command and all below it: its help gives examples, and its errors say what was expected. */
export function completeHelp(command: Command, above: readonly string[] = []): void {
  const path = [...above, command.name()];
  const typed = examples[path.slice(1).join(' ')] ?? [];
  if (typed.length > 0) command.addHelpText('after', describeExamples(typed));
  command.showHelpAfterError(describeExpected(command, path.join(' ')));
  for (const below of command.commands) completeHelp(below, path);
}

function describeExamples(typed: readonly string[]): string {
  return `\nFor example:\n${typed.map((line) => `  vatfx ${line}`).join('\n')}`;
}

function describeExpected(command: Command, path: string): string {
  const below = command.commands.map((one) => one.name());
  const expected =
    below.length > 0
      ? [`<${below.join(' | ')}>`]
      : [
          ...command.registeredArguments.map((argument) => `<${argument.name()}>`),
          ...command.options
            .toSorted(mandatoryFirst)
            .map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`)),
        ];
  return `expected: ${[path, ...expected].join(' ')}\n"${path} --help" says more`;
}

function mandatoryFirst(a: Option, b: Option): number {
  return Number(b.mandatory) - Number(a.mandatory);
}
