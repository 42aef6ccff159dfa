import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createWholeProgram } from '../cli/support/list-commands.ts';
import { documents } from './support/command-blocks.ts';

const program = await createWholeProgram();
/** Commands with subcommands. `fx` is left out, because errors of the API also begin with it. */
const groups = program.commands.filter(
  (command) => command.commands.length > 0 && command.name() !== 'fx',
);
/** Texts in code spans that begin like a command and are none. */
const sentences = ['needs Node 26 or later'];

/** The commands of vatfx in code of the documents, without the name of the program. */
const named = documents.flatMap((document) =>
  [...findCommands(readFileSync(document, 'utf8'))].map((words) => ({ document, words })),
);

describe('commands of vatfx in documents', () => {
  it('are found behind npm run, in containers and in tables', () => {
    expect(named.map(({ words }) => words)).toEqual(
      expect.arrayContaining([
        'backfill rates --from 2020-01-01',
        'keys rotate ID --overlap-hours 0',
        'keys create --name me',
      ]),
    );
  });

  it.each(named)('$document: vatfx $words exists, with its options', ({ words }) => {
    const { command, rest } = findCommand(program, words.split(/\s+/));
    const options = words.match(/(?<=^| )--[a-z-]+/g) ?? [];
    const known = ['--help', ...command.options.map(({ long }) => long)];

    // The first word that is left is an argument of a command, never the name of another command.
    expect(command.commands.length === 0 ? [] : rest.filter((word) => /^[a-z]/.test(word))).toEqual(
      [],
    );
    expect(options.filter((option) => !known.includes(option))).toEqual([]);
  });
});

function findCommands(text: string): ReadonlySet<string> {
  const ofGroup = groups.map((group) => group.name()).join('|');
  const ofProgram = program.commands.map((command) => command.name()).join('|');
  const end = "[^`\\n|&#;'…]*";
  const patterns = [
    // A code span that begins with the program: its first word has to be a command.
    `(?<=\`)(?:npm run (?:-s )?vatfx --|vatfx) (?<words>[a-z-]${end})`,
    // The program behind other words, such as `docker compose exec vatfx-1 vatfx`, and in files that have no code spans.
    `(?<=[ '"]|^)(?:npm run (?:-s )?vatfx --|vatfx) (?<words>(?:${ofProgram})\\b${end})`,
    `(?<=\`)(?<words>(?:${ofGroup}) [a-z]${end})(?=\`)`,
  ];
  return new Set(
    patterns
      .flatMap((pattern) => [...text.matchAll(new RegExp(pattern, 'gm'))])
      .map(({ groups: parts }) => (parts?.['words'] ?? '').trim().replace(/[".,]+$/, ''))
      .filter((words) => !sentences.includes(words)),
  );
}

function findCommand(
  command: Command,
  words: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } {
  const next = command.commands.find((one) => one.name() === words[0]);
  return next === undefined ? { command, rest: words } : findCommand(next, words.slice(1));
}
