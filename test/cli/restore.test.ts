import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
import { startService } from '../support/start-service.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';
import { openSource, storeEverything } from './support/copy-world.ts';
import { countFx, openBackedUp, serveRestored } from './support/restore-world.ts';
import { runDoctor } from './support/run-doctor.ts';

const keyText = `${'7a'.repeat(32)}\n`;
const namesBeside = (file: string): string[] => readdirSync(dirname(file)).toSorted();

describe.skipIf(isPostgresql)('restore FILE (operator.md)', () => {
  it('replaces the database by the backup, and keeps the old files', async () => {
    const { file, backup, env } = await openBackedUp();
    const later = await openDatabase(env.DATABASE_URL);
    await later.deleteFrom('fx_snapshots').execute();
    await later.destroy();

    const { code, stdout, stderr } = await runCommand(['restore', backup, '--json'], env);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const done = JSON.parse(stdout) as { kept: string[] };
    const [before = ''] = done.kept;
    const rows = { rate_snapshots: 3, rate_changes: 5, fx_snapshots: 3 };
    expect(done).toMatchObject({ from: backup, file, rows, kept: [before], secretKeyFile: null });
    expect(before).toMatch(/vatfx\.db\.before-restore-\d{8}T\d{6}\.\d{3}Z$/);
    expect(namesBeside(file)).toEqual(['vatfx.db', basename(before)]);
    expect({ now: countFx(file), before: countFx(before) }).toEqual({ now: 3, before: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('restores the key and keeps the old one, unless SECRET_KEY is configured', async () => {
    const { file, backup, env } = await openBackedUp();
    const keyFile = `${file}.secret-key`;
    writeFileSync(`${backup}.secret-key`, keyText);
    writeFileSync(keyFile, 'other');

    const configured = { ...env, SECRET_KEY: '7a'.repeat(32) };
    expect(await runForJson(['restore', backup], configured)).toMatchObject({
      secretKeyFile: null,
    });
    expect(readFileSync(keyFile, 'utf8')).toBe('other');
    const done = await runForJson<{ kept: string[] }>(['restore', backup], env);

    expect(done).toMatchObject({ secretKeyFile: keyFile });
    expect(readFileSync(keyFile, 'utf8')).toBe(keyText);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect(readFileSync(done.kept[1] ?? '', 'utf8')).toBe('other');
  });

  it('replaces a damaged database and the files beside it', async () => {
    const { file, backup, env } = await openBackedUp();
    writeFileSync(file, 'rubbish, and not a database at all');
    writeFileSync(`${file}-wal`, 'rubbish');

    const { code } = await runCommand(['restore', backup], env);

    expect(code).toBe(0);
    const names = namesBeside(file).filter((name) => name.endsWith('-wal'));
    expect(names).toEqual([expect.stringMatching(/before-restore-.*-wal$/)]);
    expect(countFx(file)).toBe(3);
  });

  it('keeps a symbolic link to the database, and replaces what it points to', async () => {
    const { file, backup, env } = await openBackedUp();
    const disk = join(dirname(file), 'disk');
    mkdirSync(disk);
    renameSync(file, join(disk, 'real.db'));
    symlinkSync('disk/real.db', file);

    const { code, stderr } = await runCommand(['restore', backup], env);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(countFx(join(disk, 'real.db'))).toBe(3);
    expect(readdirSync(disk).filter((name) => name.includes('before-restore'))).toHaveLength(1);
  });

  it('reads the write-ahead log of a backup that was made by copying files, into an empty folder', async () => {
    const { file, db } = await openSource();
    await storeEverything(db);
    const copy = join(temporaryFolder(), 'copy.db');
    for (const end of ['', '-wal']) writeFileSync(copy + end, readFileSync(file + end));
    const restored = join(temporaryFolder(), 'vatfx.db');

    const { code } = await runCommand(['restore', copy], { DATABASE_URL: `file:${restored}` });

    expect(code).toBe(0);
    expect(namesBeside(restored)).toEqual(['vatfx.db']);
    expect(countFx(restored)).toBe(3);
  });

  it('lets a server start immediately, although a server ran when the backup was made', async () => {
    const { file, backup, env } = await openBackedUp();
    {
      using copy = new DatabaseSync(backup);
      copy.exec(`insert into replicas (id, host, pid, started_at, seen_until) values
        ('r', 'elsewhere', 1, '2026-11-20T00:00:00.000Z', '2999-01-01T00:00:00.000Z');
        insert or replace into leases values ('fx', 'gone', 9, '2999-01-01T00:00:00.000Z')`);
    }

    await runCommand(['restore', backup], env);

    using restored = new DatabaseSync(file);
    const lease = restored.prepare('select epoch, expires_at from leases where name = ?');
    expect(lease.get('fx')).toEqual({ epoch: 9, expires_at: '1970-01-01T00:00:00.000Z' });
    restored.close();
    expect((await runCommand(['restore', backup], env)).code).toBe(0);
    const { opsUrl } = await serveRestored(env);
    expect((await fetch(`${opsUrl}/ready`)).status).toBe(200);
  });

  it('removes the drafts of a killed restore, which doctor names, and no draft of a running one', async () => {
    const { file, backup, env } = await openBackedUp();
    const { env: upstreams } = await startUpstreams();
    const findCopies = async () => {
      const { found } = await runDoctor({ ...upstreams, ...env });
      return found['copies'];
    };
    const { pid: ended } = spawnSync('true');
    const left = [
      `${file}.backup-${ended}-0123abcd`,
      `${file}.restore-0123abcd`,
      `${file}.restore-${ended}-0123abcd`,
      `${file}.restore-${ended}-0123abcd-wal`,
      `${file}.secret-key.restore-${process.pid}-0123abcd`,
    ];
    const others = [`${file}.restore-${process.ppid}-0123abcd`, `${file}.restore-notes`];
    for (const name of [...left, ...others]) writeFileSync(name, 'personal data');

    const warned = await findCopies();
    const { code, stderr } = await runCommand(['restore', backup], env);

    expect(warned).toMatchObject({ state: 'warning' });
    for (const name of [...left, others[0]]) expect(warned?.found).toContain(name);
    expect(code).toBe(0);
    expect(stderr).toBe(`removed the drafts of a command that was killed: ${left.join(', ')}\n`);
    expect([...left, ...others].filter((name) => existsSync(name))).toEqual(others);
  });
});

describe.skipIf(isPostgresql)('restore FILE is refused', () => {
  it('if a server uses the database, and names the server', async () => {
    const { backup } = await openBackedUp();
    const service = await startService({ config: { secretKey: '' } });
    const env = { DATABASE_URL: service.config.databaseUrl };

    const { code, stderr } = await runCommand(['restore', backup], env);

    expect(code).toBe(1);
    expect(stderr).toContain(`process ${process.pid} on ${hostname()}, since `);
    expect(stderr).toContain('stop it and call restore again. Nothing was restored');
    const names = namesBeside(env.DATABASE_URL.slice('file:'.length));
    expect(names.join()).not.toContain('restore');
  });

  it('if any process has the database open, also one of another version', async () => {
    const { file, backup, env } = await openBackedUp();
    using other = new DatabaseSync(file);
    other.exec('pragma journal_mode = wal; drop table replicas');
    other.prepare('select count(*) from runs').get();

    const { code, stderr } = await runCommand(['restore', backup], env);

    const tells = `another process works with ${file}; stop it and call restore again. Nothing was restored\n`;
    expect({ code, stderr }).toEqual({ code: 1, stderr: tells });
    expect(namesBeside(file).join()).not.toContain('restore');
  });

  it.each<readonly [string, (file: string) => void, RegExp]>([
    [
      'the backup is not a database',
      (file) => writeFileSync(file, 'x'.repeat(9_000)),
      /\/copy\.db is not a database of vatfx: it does not begin as a file of SQLite does/,
    ],
    [
      'the backup is a database of another program',
      (file) => {
        writeFileSync(file, '');
        change(file, 'create table mine (id)');
      },
      /is not a database of vatfx: it has no tables of vatfx/,
    ],
    ['the backup is damaged', damage, /\/copy\.db is damaged \([^)]*\); use another backup/],
    [
      'a row violates its table',
      (file) =>
        change(
          file,
          `pragma writable_schema = on; update sqlite_master
            set sql = replace(sql, '"detail" text', '"detail" text not null') where name = 'runs'`,
        ),
      /is damaged \(NULL value in runs\.detail\); use another backup/,
    ],
    [
      'a newer vatfx made the backup',
      (file) => change(file, "insert into kysely_migration values ('9999-later', '2999-01-01')"),
      /it was made by a newer vatfx \(9999-later\); use that version or a later one/,
    ],
  ])('if %s, and changes nothing', async (_, spoil, tells) => {
    const { file, backup, env } = await openBackedUp();
    const before = readFileSync(file);
    spoil(backup);

    const { code, stderr } = await runCommand(['restore', backup], env);

    expect(code).toBe(1);
    expect(stderr).toMatch(tells);
    expect(stderr).not.toContain('.restore-');
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(namesBeside(file)).toEqual(['vatfx.db']);
  });

  it('if FILE is the database itself or is missing', async () => {
    const { file, env } = await openBackedUp();

    const itself = await runCommand(['restore', file], env);
    const nothing = await runCommand(['restore', '/tmp/none/monday.db'], env);

    expect(itself).toMatchObject({ code: 1, stderr: `${file} is the database itself\n` });
    expect(nothing).toMatchObject({ code: 1, stderr: 'there is no backup /tmp/none/monday.db\n' });
  });
});

function change(file: string, statements: string): void {
  using database = new DatabaseSync(file, { defensive: false });
  database.exec(statements);
}

/** Damages a page that only a full check reads. */
function damage(file: string): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf('aud_Zebra');
  const page = at - (at % 4_096);
  writeFileSync(file, bytes.fill(0xa5, page, page + 16));
}
