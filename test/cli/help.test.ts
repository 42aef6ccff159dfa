import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/commands.ts';
import {
  createWholeProgram,
  examplesOf,
  listCommands,
  printHelp,
  wordsOf,
} from './support/list-commands.ts';

/** Every command without subcommands, by its path: `keys create`. */
const commands = listCommands(await createWholeProgram());

describe('--help of every command (operator.md)', () => {
  it.each(commands.map(({ path }) => path))('gives a valid example: %s', async (path) => {
    const command = commands.find((one) => one.path === path)?.command;
    const typed = command === undefined ? [] : examplesOf(command);

    expect(typed.length).toBeGreaterThan(0);
    for (const line of typed) expect(await parse(line)).toBe(path);
  });

  it('lists the commands in groups by what an operator wants', async () => {
    const text = printHelp(await createProgram([], process));

    const groups = text.split('\n\n').map((group) => {
      const [heading = '', ...lines] = group.split('\n');
      return [heading, lines.flatMap((line) => /^ {2}([a-z]+)/.exec(line)?.[1] ?? []).join(' ')];
    });
    expect(groups.slice(3)).toEqual([
      ['Run it:', 'serve demo sandbox'],
      ['Look after it:', 'doctor config licenses migrate copy backup restore'],
      ['Callers:', 'keys webhooks events'],
      ['VAT rates and exchange rates:', 'jobs snapshots backfill fx errata'],
      ['VAT numbers:', 'check checks watches evidence'],
      ['Security:', 'secrets audit'],
      ['More:', 'help'],
    ]);
  });

  it('lists the options and arguments of commands that are not loaded', async () => {
    expect(printHelp(await createProgram([], process))).toBe(printHelp(await createWholeProgram()));
  });

  it('are named in sentences as they are called here', async () => {
    const program = await createWholeProgram();
    const groups = program.commands.filter(({ commands }) => commands.length > 0);
    const named = new RegExp(`"(?:${groups.map((one) => one.name()).join('|')}) [a-z]+`, 'g');
    const found = globSync('src/**/*.ts', { exclude: ['**/*.test.ts'] }).flatMap(
      (file) =>
        readFileSync(file, 'utf8')
          .replaceAll(/^ *(?:\*|\/\/).*$/gm, '')
          .match(named) ?? [],
    );

    expect(found).toEqual([]);
  });
});

/** The path of the command that a line calls; throws if the line is wrong usage. */
async function parse(line: string): Promise<string> {
  const program = await createWholeProgram();
  let called = '';
  for (const { path, command } of listCommands(program)) {
    command.action(() => {
      called = path;
    });
  }
  program.parse(wordsOf(line), { from: 'user' });
  return called;
}
