import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { runCommand, startCommand } from '../support/run-cli.ts';
import { openFirstDatabase } from '../support/first-database.ts';
import {
  databaseSettings,
  isPostgresql,
  temporaryDatabaseUrl,
  temporaryFolder,
} from '../support/temporary-database.ts';
import { createWholeProgram, examplesOf, listCommands, wordsOf } from './support/list-commands.ts';

/** Commands that need no database, and those that may make one (rule O15). Every other command needs one that is there. */
const others = [
  ['doctor', 'config', 'sandbox', 'evidence verify', 'webhooks networks', 'licenses'],
  ['serve', 'demo', 'migrate', 'restore', 'keys create'],
].flat();
const needing = listCommands(await createWholeProgram())
  .filter(({ path }) => !others.includes(path))
  .map(({ path, command }) => [path, examplesOf(command)[0] ?? ''] as const);
const create = ['keys', 'create', '--name', 'me'];
const list = ['keys', 'list'];
const ports = { PORT: '0', OPS_PORT: '0' };

const none = (place: string): string =>
  `error: no database of vatfx at ${place}; run this in the folder of the service, or set DATABASE_URL\n`;

describe.skipIf(isPostgresql)('a command that needs a database, in an empty folder (O15)', () => {
  it.each(needing)(
    'ends with exit code 2, names the place and makes nothing: %s',
    async (_, example) => {
      const command = startCommand(wordsOf(example));
      const ended = await command.ended();

      const stderr = none(join(command.folder, 'data/vatfx.db'));
      expect(ended).toEqual({ code: 2, stdout: '', stderr });
      expect(readdirSync(command.folder)).toEqual([]);
    },
  );

  it.each([create, ['migrate']])('unless it may make one, which it says: %s', async (...words) => {
    const command = startCommand(words);
    const { code, stderr } = await command.ended();

    expect(code).toBe(0);
    expect(stderr).toContain(`a new database was made: ${join(command.folder, 'data/vatfx.db')}\n`);
    expect(await runCommand(list)).toMatchObject({ code: 0 });
  });
});

describe.skipIf(isPostgresql)('a DATABASE_URL with something else than a database (O15)', () => {
  it('takes an empty file for no database, which a command that may make one fills', async () => {
    const file = join(temporaryFolder(), 'vatfx.db');
    writeFileSync(file, '');
    const env = { DATABASE_URL: `file:${file}` };

    expect(await runCommand(list, env)).toEqual({ code: 2, stdout: '', stderr: none(file) });
    expect(await runCommand(['backup', `${file}.copy`], env)).toMatchObject({ code: 2 });
    expect(readFileSync(file)).toHaveLength(0);
    expect(await runCommand(create, env)).toMatchObject({ code: 0 });
  });

  it('changes no file of another program, also not with a command that may make a database', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'mail.db');
    {
      using other = new DatabaseSync(file);
      other.exec('pragma journal_mode = wal');
      other.exec('create table kysely_migration (name text); create table mail (id)');
    }
    const before = readFileSync(file);
    const env = { ...ports, DATABASE_URL: `file:${file}` };

    const listed = await runCommand(list, env);
    const makers = [create, ['migrate'], ['serve'], ['restore', '-']];
    const made = await Promise.all(makers.map(async (words) => runCommand(words, env)));
    const { stdout } = await runCommand(['doctor'], env);

    expect(listed).toEqual({ code: 2, stdout: '', stderr: none(file) });
    const stderr = `error: database: ${file} has tables of another program; set DATABASE_URL to a file of its own\n`;
    expect(made).toEqual(made.map(() => ({ code: 1, stdout: '', stderr })));
    expect(stdout).toMatch(/^wrong +database +\S+mail\.db has tables of another program → /m);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(['mail.db']);
  });

  it('does not wait for the writer of a FIFO', async () => {
    const fifo = join(temporaryFolder(), 'vatfx.db');
    execFileSync('mkfifo', [fifo]);

    for (const words of [list, create, ['backup', `${fifo}.copy`]]) {
      const { code, stderr } = await runCommand(words, { DATABASE_URL: `file:${fifo}` });

      expect(code).toBe(1);
      expect(stderr).toMatch(/is not a regular file|is not a database of vatfx|cannot be opened/);
    }
  });

  it.each([create, ['migrate'], ['serve']])('makes no missing folder: %s', async (...words) => {
    const folder = join(temporaryFolder(), 'dta');
    const env = { ...ports, DATABASE_URL: `file:${folder}/vatfx.db` };

    const { code, stderr } = await runCommand(words, env);

    expect(code).toBe(1);
    expect(stderr).toBe(
      `error: database: there is none yet at ${folder}/vatfx.db, and no folder ${folder}; make the folder, or set DATABASE_URL\n`,
    );
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder);
    expect(await runCommand(create, env)).toMatchObject({ code: 0 });
  });
});

describe('a database of the wrong version or place (O15)', () => {
  it('is migrated by any command if it is of an earlier vatfx', async () => {
    const url = temporaryDatabaseUrl({ isEmpty: true });
    await (await openFirstDatabase(url)).destroy();

    const { code, stderr } = await runCommand(list, databaseSettings(url));

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it.runIf(isPostgresql)('gets no tables if it is an empty one of PostgreSQL', async () => {
    const url = temporaryDatabaseUrl({ isEmpty: true });
    const env = databaseSettings(url);
    const place = url.replace(/\/\/[^/]*@/, '//').replace(/\?.*/, '');

    const twice = [await runCommand(list, env), await runCommand(list, env)];
    const made = await runCommand(create, env);

    const refused = { code: 2, stdout: '', stderr: none(place) };
    expect(twice).toEqual([refused, refused]);
    expect(made).toMatchObject({ code: 0 });
    expect(made.stderr).toContain(`a new database was made: ${place}\n`);
    expect(await runCommand(list, env)).toMatchObject({ code: 0 });
  });
});
