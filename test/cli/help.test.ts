import { globSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/commands.ts';
import { examples } from '../../src/cli/examples.ts';
import { listCommands, wordsOf } from './support/list-commands.ts';

/** Every command without subcommands, by its path: `keys create`. */
const commands = listCommands(createProgram([], process));

describe('--help of every command (operator.md)', () => {
  it.each(commands.map(({ path }) => path))('gives a valid example: %s', (path) => {
    const command = commands.find((one) => one.path === path)?.command;
    const typed = examples[path] ?? [];

    expect(typed.length).toBeGreaterThan(0);
    expect(printHelp(command)).toContain(`For example:\n  npm run -s vatfx -- ${typed[0]}`);
    for (const line of typed) expect(parse(line)).toBe(path);
  });

  it('lists the commands in groups by what an operator wants', () => {
    const text = printHelp(createProgram([], process));

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

  it('are named in sentences as they are called here', () => {
    const groups = createProgram([], process).commands.filter(
      ({ commands }) => commands.length > 0,
    );
    const named = new RegExp(`"(?:${groups.map((one) => one.name()).join('|')}) [a-z]+`, 'g');
    const found = globSync('src/**/*.ts', {
      exclude: ['**/*.test.ts', 'src/cli/examples.ts'],
    }).flatMap(
      (file) =>
        readFileSync(file, 'utf8')
          .replaceAll(/^ *(?:\*|\/\/).*$/gm, '')
          .match(named) ?? [],
    );

    expect(found).toEqual([]);
  });

  it('has examples of exactly the existing commands', () => {
    expect(Object.keys(examples).toSorted()).toEqual(commands.map(({ path }) => path).toSorted());
  });
});

/** The whole help, examples included. */
function printHelp(command: Command | undefined): string {
  let text = '';
  command?.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
}

/** The path of the command that a line calls; throws if the line is wrong usage. */
function parse(line: string): string {
  const program = createProgram([], process);
  let called = '';
  for (const { path, command } of listCommands(program)) {
    command.action(() => {
      called = path;
    });
  }
  program.parse(wordsOf(line), { from: 'user' });
  return called;
}
