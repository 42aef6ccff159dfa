import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../support/run-cli.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';
import { openSource, storeEverything } from './support/copy-world.ts';

describe.skipIf(isPostgresql)('backup FILE (operator.md)', () => {
  it('writes one file with everything in it, which only its owner can read', async () => {
    const { db, url } = await openSource();
    await storeEverything(db);
    const file = join(temporaryFolder(), 'monday.db');

    const { code, stdout, stderr } = await runBackup(url, file, '--json');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      file,
      bytes: statSync(file).size,
      rows: expect.objectContaining({ rate_snapshots: 3, rate_changes: 5, fx_snapshots: 3 }),
      secretKeyFile: null,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file))).toEqual(['monday.db']);
    using copy = new DatabaseSync(file, { readOnly: true });
    expect(copy.prepare('select count(*) n from audit').get()?.['n']).toBe(20);
    expect(copy.prepare('pragma journal_mode').get()?.['journal_mode']).toBe('delete');
  });

  it('copies the key of the stored secrets beside it, readable only by its owner', async () => {
    const { url, file: source } = await openSource();
    writeFileSync(`${source}.secret-key`, `${'7a'.repeat(32)}\n`, { mode: 0o644 });
    const file = join(temporaryFolder(), 'monday.db');

    const { code, stdout } = await runBackup(url, file);

    expect(code).toBe(0);
    expect(stdout).toContain(`${file}: nothing published; `);
    expect(stdout).toContain(`${file}.secret-key: the key of the stored secrets`);
    expect(readFileSync(`${file}.secret-key`, 'utf8')).toBe(`${'7a'.repeat(32)}\n`);
    expect(statSync(`${file}.secret-key`).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['--without-key was given', ['--without-key'], {}, 'is not in the backup: without it'],
    ['it is configured', [], { SECRET_KEY: '7a'.repeat(32) }, 'SECRET_KEY is configured and not'],
  ])('leaves the key out if %s, and says so', async (_, args, env, tells) => {
    const { url, file: source } = await openSource();
    writeFileSync(`${source}.secret-key`, `${'7a'.repeat(32)}\n`);
    const file = join(temporaryFolder(), 'monday.db');

    const { code, stdout } = await runCommand(['backup', file, ...args], {
      DATABASE_URL: url,
      ...env,
    });

    expect(code).toBe(0);
    expect(stdout).toContain(tells);
    expect(readdirSync(dirname(file))).toEqual(['monday.db']);
  });

  it.each(['monday.db', 'monday.db.secret-key'])('overwrites nothing: %s', async (name) => {
    const { url, file: source } = await openSource();
    writeFileSync(`${source}.secret-key`, `${'7a'.repeat(32)}\n`);
    const folder = temporaryFolder();
    writeFileSync(join(folder, name), 'mine');

    const { code, stderr } = await runBackup(url, join(folder, 'monday.db'));

    expect(code).toBe(1);
    expect(stderr).toBe(`${join(folder, name)} exists already; backup overwrites no file\n`);
    expect(readdirSync(folder)).toEqual([name]);
    expect(readFileSync(join(folder, name), 'utf8')).toBe('mine');
  });

  it('leaves no file if the database is not of vatfx', async () => {
    const folder = temporaryFolder();
    using other = new DatabaseSync(join(folder, 'other.db'));
    other.exec('create table mine (id)');

    const { code, stderr } = await runBackup(`file:${folder}/other.db`, `${folder}/copy.db`);

    expect(code).toBe(2);
    expect(stderr).toContain(`no database of vatfx at ${folder}/other.db`);
    expect(readdirSync(folder)).toEqual(['other.db']);
  });
});

async function runBackup(url: string, file: string, ...more: readonly string[]) {
  return runCommand(['backup', file, ...more], { DATABASE_URL: url });
}
