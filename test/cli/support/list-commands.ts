import type { Command } from 'commander';

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
