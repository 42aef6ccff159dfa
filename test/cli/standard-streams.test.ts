import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { runCommand, startCommand } from '../support/run-cli.ts';
import { isPostgresql, temporaryDatabaseUrl } from '../support/temporary-database.ts';
import { createWholeProgram, listCommands } from './support/list-commands.ts';
import { countFx, openBackedUp } from './support/restore-world.ts';

/** A call of each command that takes a file, with `-` for it; its standard input is empty. */
const calls: Readonly<Record<string, string>> = {
  'copy --to': 'copy --to @-',
  'backup <file>': 'backup -',
  'restore <file>': 'restore -',
  'check --csv': 'check --csv - --out x.csv',
  'check --out': 'check --csv x.csv --out - --json',
  'evidence verify <file>': 'evidence verify -',
  'evidence verify --keys': 'evidence verify x.json --keys -',
  'evidence export --out': 'evidence export --since 2026-01-01 --out -',
};
const isFile = /file|folder/i;
const takingFiles = listCommands(await createWholeProgram()).flatMap(({ path, command }) => [
  ...command.registeredArguments
    .filter((argument) => isFile.test(argument.name()))
    .map((argument) => `${path} <${argument.name()}>`),
  ...command.options
    .filter(({ flags, description }) => isFile.test(flags) || description.includes('@FILE'))
    .map(({ long }) => `${path} ${long}`),
]);
const namesBeside = (file: string): string[] => readdirSync(dirname(file)).toSorted();

describe('- in place of a file (operator rule O16)', () => {
  it('is tried below with every argument and option that takes a file', () => {
    expect(takingFiles).toEqual(Object.keys(calls));
  });

  it.each(Object.values(calls))('reads and makes no file of that name: %s', async (line) => {
    const command = startCommand(line.split(' '), { DATABASE_URL: temporaryDatabaseUrl() });
    writeFileSync(join(command.folder, '-'), 'mine');
    const { stderr } = await command.ended();

    expect(stderr).toMatch(/standard (?:input|output)|--out is -, expected a folder/);
    expect(readdirSync(command.folder)).toEqual(['-']);
    expect(readFileSync(join(command.folder, '-'), 'utf8')).toBe('mine');
  });
});

describe.skipIf(isPostgresql)('backup - and restore - (operator rule O16)', () => {
  it('have exactly the bytes of the database on the streams, and words on standard error', async () => {
    const { file, env } = await openBackedUp();
    writeFileSync(`${file}.secret-key`, `${'7a'.repeat(32)}\n`);
    const command = startCommand(['backup', '-'], env);
    const { code, stderr } = await command.ended();
    const bytes = command.stdoutBytes;

    expect(code).toBe(0);
    expect(stderr).toContain('standard output: 3 rate snapshots');
    expect(stderr).toContain(`The key of the stored secrets, ${file}.secret-key, is not in the`);
    expect(bytes.subarray(0, 15).toString()).toBe('SQLite format 3');
    expect(bytes).toHaveLength(bytes.readUInt16BE(16) * bytes.readUInt32BE(28));
    expect(namesBeside(file)).toEqual(['vatfx.db', 'vatfx.db.secret-key']);
    const later = await openDatabase(env.DATABASE_URL);
    await later.deleteFrom('fx_snapshots').execute();
    await later.destroy();

    const restored = await runCommand(['restore', '-', '--json'], env, [bytes]);

    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const done = JSON.parse(restored.stdout) as { readonly kept: readonly string[] };
    const [before = ''] = done.kept;
    expect(done).toMatchObject({ from: '-', file, kept: [before], secretKeyFile: null });
    expect(namesBeside(file)).toEqual(['vatfx.db', basename(before), 'vatfx.db.secret-key']);
    expect({ now: countFx(file), before: countFx(before) }).toEqual({ now: 3, before: 0 });
  });

  it.each<readonly [string, (backup: Buffer) => Buffer, RegExp]>([
    ['was cut off', (b) => b.subarray(0, 70_000), /ends after 70000 of \d+ bytes: it was cut off/],
    ['was cut off in its header', (b) => b.subarray(0, 40), /ends after 40 of 100 bytes/],
    ['is empty', () => Buffer.alloc(0), /^standard input is empty\./],
    ['is compressed', gzipSync, /If it is compressed or encrypted, undo that first/],
    ['has lines of another program', (b) => Buffer.concat([Buffer.from('\n> '), b]), /not begin/],
    ['is damaged', (b) => Buffer.from(b).fill(0xa5, 8_192, 12_288), /standard input is damaged/],
  ])('restores nothing from an input that %s', async (_, spoil, tells) => {
    const { file, backup, env } = await openBackedUp();
    const before = readFileSync(file);

    const { code, stderr } = await runCommand(['restore', '-'], env, [spoil(readFileSync(backup))]);

    expect(code).toBe(1);
    expect(stderr).toMatch(tells);
    expect(stderr).not.toContain('.restore-');
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(namesBeside(file)).toEqual(['vatfx.db']);
  });

  it('restores nothing if it is interrupted while the input is open', async () => {
    const { file, backup, env } = await openBackedUp();
    const input = new PassThrough();
    input.write(readFileSync(backup));
    const command = startCommand(['restore', '-'], env, input);
    await eventually(() => namesBeside(file).some((name) => name.includes('.restore-')));

    command.signal('SIGINT');
    const ended = await command.ended();

    const stderr = 'interrupted; nothing was restored\n';
    expect(ended).toEqual({ code: 1, stdout: '', stderr });
    expect(namesBeside(file)).toEqual(['vatfx.db']);
  });

  it('refuse a standard output that gets more than the bytes', async () => {
    const { env } = await openBackedUp();
    const npm = { npm_lifecycle_event: 'vatfx', npm_config_user_agent: 'npm/11.6.0 node/v26.0.0' };
    const loud = await runCommand(['backup', '-'], { ...env, ...npm });
    const silent = await runCommand(['backup', '-'], {
      ...env,
      ...npm,
      npm_config_loglevel: 'silent',
    });
    const json = await runCommand(['backup', '-', '--json'], env);

    expect(loud).toMatchObject({ code: 2, stdout: '' });
    expect(loud.stderr).toContain('npm writes lines of its own to standard output; call it as npm');
    expect(silent.code).toBe(0);
    const stderr = 'error: --json and - both write to standard output; leave one of them out\n';
    expect(json).toEqual({ code: 2, stdout: '', stderr });
  });
});
