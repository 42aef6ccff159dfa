import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { connectDatabase, type Db } from '../../src/platform/database/database.ts';
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

describe('copy --to with an unusable source or address', () => {
  it.each([
    ['a file', 'file:./other.db'],
    ['another engine', 'mysql://root:hush@db/vatfx'],
    ['no host', 'postgres://'],
    ['nothing', ''],
  ])('rejects %s as wrong usage', async (_, to) => {
    const { url } = await openSource();

    const { code, stderr } = await runCopy(url, to);

    expect(code).toBe(2);
    expect(stderr).toBe(
      'error: --to is not an address of PostgreSQL, expected postgres://user@host/database\n',
    );
  });

  it('rejects a missing file as wrong usage', async () => {
    const { url } = await openSource();

    const { code, stderr } = await runCopy(url, '@/nowhere/address');

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: --to names no file that can be read, expected @FILE or an address\n',
    });
  });

  it('refuses a DATABASE_URL of PostgreSQL', async () => {
    const { code, stderr } = await runCopy('postgres://vatfx:hush@db/vatfx', nowhere);

    expect(code).toBe(1);
    expect(stderr).toContain('DATABASE_URL is an address of PostgreSQL');
    expect(stderr).not.toContain('hush');
  });

  it('creates no database if there is none', async () => {
    const file = join(temporaryFolder(), 'data', 'vatfx.db');

    const { code, stderr } = await runCopy(`file:${file}`, nowhere);

    expect(code).toBe(1);
    expect(stderr).toContain(`there is no database ${file}; set DATABASE_URL`);
    expect(existsSync(join(file, '..'))).toBe(false);
  });

  it('reports that PostgreSQL cannot be reached, and creates no file beside the source', async () => {
    const { url, file } = await openSource();

    const { code, stderr } = await runCopy(url, nowhere);

    expect(code).toBe(1);
    expect(stderr).toContain(
      'nothing was copied: database: PostgreSQL cannot be used now: connect ECONNREFUSED',
    );
    expect(stderr).not.toContain('hush');
    expect(readdirSync(join(file, '..')).filter((name) => !/-(?:wal|shm)$/.test(name))).toEqual([
      'vatfx.db',
    ]);
  });

  it('refuses while a server uses the source, and names the server', async () => {
    const { url } = await openSource();
    const service = await startService({ config: { databaseUrl: url, secretKey: '' } });

    const { code, stderr } = await runCopy(url, nowhere);
    await service.stop();
    const stopped = await runCopy(url, nowhere);

    expect(code).toBe(1);
    expect(stderr).toContain(
      `a server works with the embedded database: process ${process.pid} on ${hostname()}, since `,
    );
    expect(stopped.stderr).toContain('PostgreSQL cannot be used now');
  });

  it('refuses while a server on another machine may use the source', async () => {
    const { url, db } = await openSource();
    const pid = await findEndedPid();
    await storeReplica(db, { host: 'elsewhere', pid });

    const { stderr } = await runCopy(url, nowhere);

    expect(stderr).toContain(
      `process ${pid} on elsewhere, since 2026-11-20T00:00:00.000Z; stop it`,
    );
  });

  it('ignores a server that has crashed on this machine', async () => {
    const { url, db } = await openSource();
    await storeReplica(db, { host: hostname(), pid: await findEndedPid() });

    const { stderr } = await runCopy(url, nowhere);

    expect(stderr).toContain('PostgreSQL cannot be used now');
  });

  it('refuses while a job runs', async () => {
    const { url, db } = await openSource();
    const lease = { name: 'fx', holder: 'host 17 x', epoch: 1, expires_at: '2999-01-01T00:00:00Z' };
    await db.insertInto('leases').values(lease).execute();

    const { code, stderr } = await runCopy(url, nowhere);

    expect(code).toBe(1);
    expect(stderr).toContain('a run of fx is under way in the embedded database, by host 17 x');
  });
});

describe.skipIf(!isPostgresql)('copy --to an unusable target', () => {
  it('refuses a target with rows, names the tables and leaves them as they are', async () => {
    const source = await openSource();
    await storeEverything(source.db);
    const target = await openTarget();
    const about = { snapshot_date: null, key_id: null, body: null, subject: null, created_at: '' };
    const mine = { id: 'evt', type: 'webhook.test', position: null, ...about };
    await target.db.insertInto('events').values(mine).execute();

    const { code, stderr } = await runCopy(source.url, target.url);

    expect(code).toBe(1);
    expect(stderr).toBe(
      'the target is not empty: there are rows in events; copy to an empty database. Nothing was copied\n',
    );
    expect(await readRows(target.db, 'events', 'audit')).toEqual({
      events: [JSON.stringify(mine, Object.keys(mine).sort())],
      audit: [],
    });
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
    const url = new URL(inject('postgresqlUrl') ?? '');
    url.pathname = name;

    const { code, stderr } = await runCopy(source.url, url.href);

    expect(code).toBe(1);
    expect(stderr).toContain('the target is a database in LATIN1, expected UTF8; make one with: ');
  });

  it('refuses the second copy', async () => {
    const source = await openSource();
    await storeEverything(source.db);
    const url = createEmptyTarget();
    await runCopy(source.url, url);

    const { code, stderr } = await runCopy(source.url, url);

    expect(code).toBe(1);
    expect(stderr).toContain('the target is not empty: there are rows in rate_snapshots, ');
  });

  it('refuses a target that a server uses', async () => {
    const source = await openSource();
    const target = await openTarget();
    await storeReplica(target.db, { host: 'elsewhere', pid: 1 });

    const { code, stderr } = await runCopy(source.url, target.url);

    expect(code).toBe(1);
    expect(stderr).toContain('a server works with the target: process 1 on elsewhere');
  });

  it('names the row that PostgreSQL cannot store', async () => {
    const source = await openSource();
    await storeEverything(source.db);
    await source.db
      .updateTable('api_keys')
      .set({ name: 'a\0b' })
      .where('id', '=', 'key_3')
      .execute();
    const target = await openTarget();

    const { code, stderr } = await runCopy(source.url, target.url);

    expect(code).toBe(1);
    expect(stderr).toContain('nothing was copied: name of api_keys "key_3" holds a NUL');
    expect(await readRows(target.db, 'rate_snapshots')).toEqual({ rate_snapshots: [] });
  });
});

async function storeReplica(
  db: Db,
  of: { readonly host: string; readonly pid: number },
): Promise<void> {
  await db
    .insertInto('replicas')
    .values({
      id: 'r',
      ...of,
      started_at: '2026-11-20T00:00:00.000Z',
      seen_until: new Date(Date.now() + 6_000).toISOString(),
    })
    .execute();
}

/** The process id of a process that has ended. */
async function findEndedPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await new Promise((resolve) => {
    child.once('close', resolve);
  });
  return child.pid ?? 0;
}
