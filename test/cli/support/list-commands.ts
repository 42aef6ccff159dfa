import type { Command } from 'commander';
import { firstWords, createProgram } from '../../../src/cli/commands.ts';

/** The command line with the options of all commands. */
export async function createWholeProgram(): Promise<Command> {
  return createProgram([], process, firstWords);
}

/** The whole help of a command, examples included. */
export function printHelp(command: Command | undefined): string {
  let text = '';
  command?.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
}

/** The lines that the help of a command gives as examples, without the name of the program. */
export function examplesOf(command: Command): readonly string[] {
  const [, lines = ''] = printHelp(command).split('\nFor example:\n');
  return lines.split('\n').flatMap((line) => /^ {2}npm run -s vatfx -- (.*)/.exec(line)?.[1] ?? []);
}

/** Lists every command without subcommands below a command, by its path: `keys create`. */
export function listCommands(
  command: Command,
  path: readonly string[] = [],
): readonly { readonly path: string; readonly command: Command }[] {
  if (command.commands.length === 0) return [{ path: path.join(' '), command }];
  return command.commands.flatMap((below) => listCommands(below, [...path, below.name()]));
}

/** The words of a line as a shell gives them to a command: `--name "web shop"` has two, `- > monday.db` one. */
export function wordsOf(line: string): readonly string[] {
  const command = line.replaceAll(/ [<>] \S+/g, '');
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
}
