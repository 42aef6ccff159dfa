import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/commands.ts';
import { examples } from '../../src/cli/examples.ts';
import manifest from '../../package.json' with { type: 'json' };
import { runCommand } from '../support/run-cli.ts';

/** Every command without subcommands, by its path: `keys create`. */
const commands = listCommands(createProgram([], process), []);

describe('--help of every command (operator.md)', () => {
  it.each(commands.map(({ path }) => path))('gives a valid example: %s', (path) => {
    const command = commands.find((one) => one.path === path)?.command;
    const typed = examples[path] ?? [];

    expect(typed.length).toBeGreaterThan(0);
    expect(printHelp(command)).toContain(`For example:\n  vatfx ${typed[0]}`);
    for (const line of typed) expect(parse(line)).toBe(path);
  });

  it('has examples of exactly the existing commands', () => {
    expect(Object.keys(examples).toSorted()).toEqual(commands.map(({ path }) => path).toSorted());
  });

  it('has every command of the operator interface', () => {
    expect(commands.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['serve', 'demo', 'doctor', 'backup', 'restore', 'copy', 'migrate']),
    );
  });
});

describe('wrong usage, at every level (operator.md)', () => {
  it.each([
    ['doctr', "error: unknown command 'doctr'\n(Did you mean doctor?)", 'vatfx <serve | demo | '],
    [
      'webhooks lst',
      '(Did you mean list?)',
      'vatfx webhooks <list | deliveries | enable | disable>',
    ],
    [
      'backup --witout-key x',
      '(Did you mean --without-key?)',
      'vatfx backup <file> [--json] [--without-key]',
    ],
    [
      'keys create --name x --quta 5',
      '(Did you mean --quota?)',
      'vatfx keys create --name <name> [--json] [--reason <text>] [--rate-limit',
    ],
    ['--verbos', "error: unknown option '--verbos'", 'vatfx <serve | '],
    [
      'jobs list --colour',
      "error: unknown option '--colour'",
      'vatfx jobs list [--json] [--limit <number>]',
    ],
    ['restore', "error: missing required argument 'file'", 'vatfx restore <file> [--json]'],
  ])('prints the expected form: %s', async (line, tells, expected) => {
    const { code, stdout, stderr } = await runCommand(line.split(' '));

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(tells);
    expect(stderr).toContain(`\nexpected: ${expected}`);
    expect(stderr).toMatch(/\n"vatfx[^"]* --help" shows more\n$/);
  });
});

describe('--version', () => {
  it.each(['--version', '-V'])('%s is the version of the package', async (option) => {
    expect(await runCommand([option])).toEqual({
      code: 0,
      stdout: `${manifest.version}\n`,
      stderr: '',
    });
  });
});

function listCommands(
  command: Command,
  path: readonly string[],
): { readonly path: string; readonly command: Command }[] {
  if (command.commands.length === 0) return [{ path: path.join(' '), command }];
  return command.commands.flatMap((below) => listCommands(below, [...path, below.name()]));
}

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
  for (const { path, command } of listCommands(program, [])) {
    command.action(() => {
      called = path;
    });
  }
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? '',
  );
  program.parse(words, { from: 'user' });
  return called;
}
