import {
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
import { runCommand } from '../support/run-cli.ts';
import { startService } from '../support/start-service.ts';
import {
  databaseSettings,
  isPostgresql,
  temporaryDatabaseUrl,
  temporaryFolder,
} from '../support/temporary-database.ts';
import { openSource, storeEverything } from './support/copy-world.ts';
import { countFx, openBackedUp, serveRestored } from './support/restore-world.ts';

const keyText = `${'7a'.repeat(32)}\n`;

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
    expect(done).toEqual({
      from: backup,
      file,
      rows: expect.objectContaining({ rate_snapshots: 3, rate_changes: 5, fx_snapshots: 3 }),
      kept: [before],
      secretKeyFile: null,
    });
    expect(before).toMatch(/vatfx\.db\.before-restore-\d{8}T\d{6}\.\d{3}Z$/);
    expect(readdirSync(dirname(file)).toSorted()).toEqual(['vatfx.db', basename(before)]);
    expect({ now: countFx(file), before: countFx(before) }).toEqual({ now: 3, before: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('restores the key, and keeps the old one', async () => {
    const { file, backup, env } = await openBackedUp();
    writeFileSync(`${backup}.secret-key`, keyText);
    writeFileSync(`${file}.secret-key`, 'other');

    const { stdout } = await runCommand(['restore', backup, '--json'], env);

    const done = JSON.parse(stdout) as { kept: string[]; secretKeyFile: string };
    expect(done.secretKeyFile).toBe(`${file}.secret-key`);
    expect(readFileSync(`${file}.secret-key`, 'utf8')).toBe(keyText);
    expect(statSync(`${file}.secret-key`).mode & 0o777).toBe(0o600);
    expect(readFileSync(done.kept[1] ?? '', 'utf8')).toBe('other');
  });

  it('leaves the key file as it is if the key is the same or SECRET_KEY is configured', async () => {
    const { file, backup, env } = await openBackedUp();
    writeFileSync(`${backup}.secret-key`, keyText);
    writeFileSync(`${file}.secret-key`, keyText);
    const same = await runCommand(['restore', backup, '--json'], env);
    writeFileSync(`${backup}.secret-key`, 'other');
    const configured = { ...env, SECRET_KEY: '7a'.repeat(32) };
    const other = await runCommand(['restore', backup, '--json'], configured);

    expect((JSON.parse(same.stdout) as { kept: string[] }).kept).toHaveLength(1);
    expect(JSON.parse(other.stdout)).toMatchObject({ secretKeyFile: null });
    expect(readFileSync(`${file}.secret-key`, 'utf8')).toBe(keyText);
  });

  it('restores if there was no database', async () => {
    const { backup } = await openBackedUp();
    const file = join(temporaryFolder(), 'new', 'vatfx.db');

    const { code } = await runCommand(['restore', backup], { DATABASE_URL: `file:${file}` });

    expect(code).toBe(0);
    expect(readdirSync(dirname(file))).toEqual(['vatfx.db']);
  });

  it('replaces a damaged database and the files beside it', async () => {
    const { file, backup, env } = await openBackedUp();
    writeFileSync(file, 'rubbish, and not a database at all');
    writeFileSync(`${file}-wal`, 'rubbish');

    const { code } = await runCommand(['restore', backup], env);

    expect(code).toBe(0);
    const names = readdirSync(dirname(file)).filter((name) => name.endsWith('-wal'));
    expect(names).toEqual([expect.stringMatching(/before-restore-.*-wal$/)]);
    expect(countFx(file)).toBe(3);
  });

  it.each(['a database', 'a missing file'])(
    'keeps a symbolic link to %s, and replaces what it points to',
    async (target) => {
      const { file, backup, env } = await openBackedUp();
      const disk = join(dirname(file), 'disk');
      mkdirSync(disk);
      if (target === 'a database') renameSync(file, join(disk, 'real.db'));
      else renameSync(file, join(temporaryFolder(), 'lost.db'));
      symlinkSync('disk/real.db', file);

      const { code, stderr } = await runCommand(['restore', backup], env);

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(lstatSync(file).isSymbolicLink()).toBe(true);
      expect(countFx(join(disk, 'real.db'))).toBe(3);
      const kept = readdirSync(disk).filter((name) => name.includes('before-restore'));
      expect(kept).toHaveLength(target === 'a database' ? 1 : 0);
      expect(readdirSync(dirname(file)).toSorted()).toEqual(['disk', 'vatfx.db']);
    },
  );

  it('reads the write-ahead log of a backup that was made by copying files', async () => {
    const { file, db } = await openSource();
    await storeEverything(db);
    const folder = temporaryFolder();
    for (const end of ['', '-wal']) {
      writeFileSync(join(folder, `copy.db${end}`), readFileSync(file + end));
    }
    const restored = join(folder, 'vatfx.db');

    const { code } = await runCommand(['restore', join(folder, 'copy.db')], {
      DATABASE_URL: `file:${restored}`,
    });

    expect(code).toBe(0);
    expect(countFx(restored)).toBe(3);
  });

  it('lets a server start immediately, although a server ran when the backup was made', async () => {
    const { file, backup, env } = await openBackedUp();
    using copy = new DatabaseSync(backup);
    copy.exec(`insert into replicas (id, host, pid, started_at, seen_until) values
      ('r', 'elsewhere', 1, '2026-11-20T00:00:00.000Z', '2999-01-01T00:00:00.000Z')`);
    copy.exec(`insert or replace into leases values ('fx', 'gone', 9, '2999-01-01T00:00:00.000Z')`);

    await runCommand(['restore', backup], env);
    const again = await runCommand(['restore', backup], env);

    expect(again.code).toBe(0);
    using restored = new DatabaseSync(file);
    expect(
      restored.prepare('select epoch, expires_at from leases where name = ?').get('fx'),
    ).toEqual({ epoch: 9, expires_at: '1970-01-01T00:00:00.000Z' });
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
    expect(readdirSync(dirname(env.DATABASE_URL.slice('file:'.length))).join()).not.toContain(
      'restore',
    );
  });

  it('if any process has the database open, also one of another version', async () => {
    const { file, backup, env } = await openBackedUp();
    using other = new DatabaseSync(file);
    other.exec('pragma journal_mode = wal; drop table replicas');
    other.prepare('select count(*) from runs').get();

    const { code, stderr } = await runCommand(['restore', backup], env);

    expect(code).toBe(1);
    expect(stderr).toBe(
      `another process works with ${file}; stop it and call restore again. Nothing was restored\n`,
    );
    expect(readdirSync(dirname(file)).join()).not.toContain('restore');
  });

  it.each<readonly [string, (file: string) => void, RegExp]>([
    [
      'the backup is not a database',
      (file) => writeFileSync(file, 'x'.repeat(9_000)),
      /\/copy\.db is not a database of vatfx: file is not a database/,
    ],
    [
      'the backup is a database of another program',
      (file) => {
        writeFileSync(file, '');
        new DatabaseSync(file).exec('create table mine (id)');
      },
      /is not a database of vatfx: it has no tables of vatfx/,
    ],
    ['the backup is damaged', damage, /\/copy\.db is damaged \([^)]*\); use another backup/],
    [
      'a row violates its table',
      (file) => {
        using copy = new DatabaseSync(file, { defensive: false });
        copy.exec(`pragma writable_schema = on;
          update sqlite_master set sql = replace(sql, '"detail" text', '"detail" text not null')
            where name = 'runs'`);
      },
      /is damaged \(NULL value in runs\.detail\); use another backup/,
    ],
    [
      'a newer vatfx made the backup',
      (file) => {
        using copy = new DatabaseSync(file);
        copy.exec("insert into kysely_migration values ('9999-later', '2999-01-01')");
      },
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
    expect(readdirSync(dirname(file))).toEqual(['vatfx.db']);
  });

  it('if FILE is the database itself or is missing', async () => {
    const { file, env } = await openBackedUp();

    const itself = await runCommand(['restore', file], env);
    const nothing = await runCommand(['restore', '/tmp/none/monday.db'], env);

    expect(itself).toMatchObject({ code: 1, stderr: `${file} is the database itself\n` });
    expect(nothing).toMatchObject({ code: 1, stderr: 'there is no backup /tmp/none/monday.db\n' });
  });
});

describe.skipIf(isPostgresql)('a server on a restored database', () => {
  it('becomes ready', async () => {
    const { backup, env } = await openBackedUp();
    await runCommand(['restore', backup], env);

    const { opsUrl } = await serveRestored(env);

    expect((await fetch(`${opsUrl}/ready`)).status).toBe(200);
  });
});

describe.skipIf(!isPostgresql)('restore FILE with PostgreSQL', () => {
  it('names the program of PostgreSQL to use instead', async () => {
    const { code, stderr } = await runCommand(
      ['restore', 'monday.dump'],
      databaseSettings(temporaryDatabaseUrl()),
    );

    expect(code).toBe(1);
    expect(stderr).toContain('pg_restore --clean --if-exists --dbname="$DATABASE_URL" monday.dump');
  });
});

/** Damages a page that only a full check reads. */
function damage(file: string): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf('aud_Zebra');
  const page = at - (at % 4_096);
  writeFileSync(file, bytes.fill(0xa5, page, page + 16));
}
