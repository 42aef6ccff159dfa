import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { connectDatabase, type Db } from '../../src/platform/database/database.ts';
import { runCommand } from '../support/run-cli.ts';
import { startService } from '../support/start-service.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';
import {
  readRows,
  createEmptyTarget,
  openSource,
  openTarget,
  runCopy,
  storeEverything,
} from './support/copy-world.ts';

const nowhere = 'postgres://vatfx:hush@127.0.0.1:1/vatfx';
const noAddress = '--to is not an address of PostgreSQL, expected postgres://user@host/database';

describe('copy --to with an unusable source or address', () => {
  it.each([
    ['a file', 'file:./other.db', noAddress],
    ['another engine', 'mysql://root:hush@db/vatfx', noAddress],
    ['no host', 'postgres://', noAddress],
    ['nothing', '', noAddress],
    [
      'a missing file',
      '@/none',
      '--to names no file that can be read, expected @FILE or an address',
    ],
  ])('rejects %s as wrong usage', async (_, to, tells) => {
    const { url } = await openSource();

    expect(await runCopy(url, to)).toMatchObject({ code: 2, stderr: `error: ${tells}\n` });
  });

  it('reads the address from standard input with @- (rule O16)', async () => {
    const { url } = await openSource();
    const copy = async (to: string) =>
      runCommand(['copy', '--to', '@-'], { DATABASE_URL: url }, [Buffer.from(to)]);

    const refused = await copy('mysql://root:hush@db/vatfx');
    const lost = await copy(`${nowhere}\n`);

    const stderr = `error: ${noAddress.replace('--to', 'what standard input holds')}\n`;
    expect(refused).toEqual({ code: 2, stdout: '', stderr });
    expect(lost.stderr).toContain('PostgreSQL cannot be used now: connect ECONNREFUSED');
  });

  const { pid: ended } = spawnSync('true');
  type Prepare = (db: Db) => Promise<unknown>;
  it.each<readonly [string, Prepare, string]>([
    [
      'PostgreSQL cannot be reached',
      async () => {},
      'nothing was copied: database: PostgreSQL can',
    ],
    [
      'a server on another machine may use the source',
      async (db) => storeReplica(db, { host: 'elsewhere', pid: ended }),
      `process ${ended} on elsewhere, since 2026-11-20T00:00:00.000Z; stop it`,
    ],
    [
      'a server has crashed on this machine, which does not matter, and PostgreSQL cannot be reached',
      async (db) => storeReplica(db, { host: hostname(), pid: ended }),
      'PostgreSQL cannot be used now: connect ECONNREFUSED',
    ],
    [
      'a job runs',
      async (db) => storeLease(db, 5_000),
      'a run of fx is under way in the embedded database, by host 17 x',
    ],
    [
      'a clock that was wrong has written a lease, which does not matter, and PostgreSQL cannot be reached',
      async (db) => storeLease(db, 7_200_000),
      'PostgreSQL cannot be used now: connect ECONNREFUSED',
    ],
  ])('fails if %s', async (_, prepare, tells) => {
    const { url, file, db } = await openSource();
    await prepare(db);

    const { code, stderr } = await runCopy(url, nowhere);

    expect(code).toBe(1);
    expect(stderr).toContain(tells);
    expect(stderr).not.toContain('hush');
    const files = readdirSync(join(file, '..')).filter((name) => !/-(?:wal|shm)$/.test(name));
    expect(files).toEqual(['vatfx.db']);
  });

  it('refuses a DATABASE_URL of PostgreSQL, and a missing database, which it does not create', async () => {
    const file = join(temporaryFolder(), 'data', 'vatfx.db');

    const { stderr } = await runCopy('postgres://vatfx:hush@db/vatfx', nowhere);
    const missing = await runCopy(`file:${file}`, nowhere);

    expect(stderr).toContain('DATABASE_URL is an address of PostgreSQL');
    expect(stderr).not.toContain('hush');
    expect(missing.stderr).toContain(`no database of vatfx at ${file}; run this in the folder`);
    expect(existsSync(join(file, '..'))).toBe(false);
  });

  it('refuses while a server uses the source, and names the server', async () => {
    const { url } = await openSource();
    const service = await startService({ config: { databaseUrl: url, secretKey: '' } });

    const { stderr } = await runCopy(url, nowhere);
    await service.stop();
    const stopped = await runCopy(url, nowhere);

    const server = `process ${process.pid} on ${hostname()}, since `;
    expect(stderr).toContain(`a server works with the embedded database: ${server}`);
    expect(stopped.stderr).toContain('PostgreSQL cannot be used now');
  });
});

describe.skipIf(!isPostgresql)('copy --to an unusable target', () => {
  const about = { snapshot_date: null, key_id: null, body: null, subject: null, created_at: '' };
  const mine = { id: 'evt', type: 'webhook.test', position: null, ...about };

  it.each<readonly [string, (target: Db, source: Db) => Promise<unknown>, string]>([
    [
      'has rows',
      async (target) => target.insertInto('events').values(mine).execute(),
      'the target is not empty: there are rows in events; copy to an empty database. Nothing was copied\n',
    ],
    [
      'is used by a server',
      async (target) => storeReplica(target, { host: 'elsewhere', pid: 1 }),
      'a server works with the target: process 1 on elsewhere',
    ],
    [
      'cannot store a row',
      async (_, source) =>
        source.updateTable('api_keys').set({ name: 'a\0b' }).where('id', '=', 'key_3').execute(),
      'nothing was copied: name of api_keys "key_3" holds a NUL',
    ],
  ])('copies nothing if it %s', async (_, prepare, tells) => {
    const source = await openSource();
    await storeEverything(source.db);
    const target = await openTarget();
    await prepare(target.db, source.db);
    const before = await readRows(target.db, 'events', 'audit', 'rate_snapshots');

    const { code, stderr } = await runCopy(source.url, target.url);

    expect(code).toBe(1);
    expect(stderr).toContain(tells);
    expect(await readRows(target.db, 'events', 'audit', 'rate_snapshots')).toEqual(before);
  });

  it('leaves tables of an older version as they are', async () => {
    const source = await openSource();
    const url = createEmptyTarget();
    const db = connectDatabase(url);
    onTestFinished(async () => db.destroy());
    await sql`create table events (id text primary key)`.execute(db);
    await sql`insert into events values ('evt')`.execute(db);

    const { code, stderr } = await runCopy(source.url, url);

    expect(code).toBe(1);
    expect(stderr).toContain('there are rows in events');
    const tables = await sql`select tablename from pg_tables
      where schemaname = current_schema()`.execute(db);
    expect(tables.rows).toEqual([{ tablename: 'events' }]);
  });

  it('refuses a target that cannot store every text', async () => {
    const source = await openSource();
    const server = connectDatabase(inject('postgresqlUrl') ?? '');
    const name = `latin_${process.pid}`;
    await sql`create database ${sql.ref(name)} encoding 'LATIN1' locale_provider libc locale 'C'
      template template0`.execute(server);
    onTestFinished(async () => {
      await sql`drop database ${sql.ref(name)} with (force)`.execute(server);
      await server.destroy();
    });
    const url = Object.assign(new URL(inject('postgresqlUrl') ?? ''), { pathname: name });

    const { code, stderr } = await runCopy(source.url, url.href);

    expect(code).toBe(1);
    expect(stderr).toContain('the target is a database in LATIN1, expected UTF8; make one with: ');
  });
});

async function storeReplica(db: Db, of: { readonly host: string; readonly pid: number }) {
  const started_at = '2026-11-20T00:00:00.000Z';
  const seen_until = new Date(Date.now() + 6_000).toISOString();
  await db
    .insertInto('replicas')
    .values({ id: 'r', ...of, started_at, seen_until })
    .execute();
}

async function storeLease(db: Db, endsInMs: number) {
  const expires_at = new Date(Date.now() + endsInMs).toISOString();
  await db
    .insertInto('leases')
    .values({ name: 'fx', holder: 'host 17 x', epoch: 1, expires_at })
    .execute();
}
