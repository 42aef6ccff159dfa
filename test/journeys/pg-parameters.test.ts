import { chmodSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connectDatabase, type Db } from '../../src/platform/database/database.ts';
import { runDoctor } from '../cli/support/run-doctor.ts';
import { PostgresqlServer } from '../support/postgresql-server.ts';
import { findPostgresql, isCi } from '../support/programs.ts';
import { runCommand } from '../support/run-cli.ts';
import { selfSigned } from '../support/self-signed.ts';
import { temporaryFolder } from '../support/temporary-database.ts';

const nowhere = 'http://127.0.0.1:9/';
const settings = {
  SECRET_KEY: '5e'.repeat(32),
  TEDB_URL: nowhere,
  ECB_URL: nowhere,
  VIES_URL: nowhere,
  PORT: '0',
  OPS_PORT: '0',
};

let server: PostgresqlServer;

function connect(url: string): Db {
  const db = connectDatabase(url);
  onTestFinished(async () => db.destroy());
  return db;
}

/** Puts a certificate for 127.0.0.1 beside the data, for its user only. */
async function turnOnTls({ folder, url }: PostgresqlServer): Promise<void> {
  for (const [name, text] of [
    ['server.crt', selfSigned.cert],
    ['server.key', selfSigned.key],
  ] as const) {
    const file = join(folder, name);
    writeFileSync(file, text);
    chownSync(file, statSync(folder).uid, -1);
    chmodSync(file, 0o600);
  }
  await using db = connectDatabase(url);
  await sql`alter system set ssl = on`.execute(db);
  await sql`select pg_reload_conf()`.execute(db);
}

describe.skipIf(findPostgresql() === undefined && !isCi)('DATABASE_URL (rule O5)', () => {
  beforeAll(async () => {
    server = await PostgresqlServer.start({ unix_socket_directories: '/tmp' });
    await turnOnTls(server);
  });
  afterAll(async () => server.stop());

  it.each([
    ['', false, 'ok', 'not encrypted, on this machine'],
    ['?sslmode=disable', false, 'ok', 'not encrypted, on this machine'],
    ['?sslmode=no-verify', true, 'warning', 'encrypted, but every certificate is accepted'],
    ['?ssl=no-verify', true, 'warning', 'encrypted, but every certificate is accepted'],
    [
      '?uselibpqcompat=true&sslmode=require',
      true,
      'warning',
      'encrypted, but every certificate is accepted',
    ],
    ['?sslrootcert=CA', true, 'ok', 'encrypted, with a verified certificate'],
    ['?sslmode=verify-full&sslrootcert=CA', true, 'ok', 'encrypted, with a verified certificate'],
  ])('with %j is encrypted or not as doctor says', async (query, isEncrypted, state, found) => {
    const ca = join(temporaryFolder(), 'ca.pem');
    writeFileSync(ca, selfSigned.cert);
    const url = `${server.url}${query.replace('CA', ca)}`;

    const doctor = await runDoctor({ ...settings, DATABASE_URL: url });

    const { rows } = await sql`
      select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(connect(url));
    expect(rows).toEqual([{ ssl: isEncrypted }]);
    expect(doctor.found['database tls']).toMatchObject({ state, found });
  });

  it('applies name, options, time limit and a Unix socket', async () => {
    const host = `host=/tmp&port=${server.port}&user=vatfx`;
    const own = 'application_name=one&options=-c%20search_path%3Dpg_catalog&statement_timeout=9000';
    const url = `postgres:///postgres?${host}&${own}`;

    const doctor = await runDoctor({ ...settings, DATABASE_URL: url });

    const { rows } = await sql`select current_setting('application_name') as name,
      current_setting('search_path') as path, current_setting('statement_timeout') as timeout,
      inet_client_addr() as address`.execute(connect(url));
    expect(rows).toEqual([{ name: 'one', path: 'pg_catalog', timeout: '9s', address: null }]);
    expect(doctor.found['database tls']?.found).toBe('not encrypted, through a Unix socket');
  });

  it('stops doctor and serve if a parameter has no effect', async () => {
    const env = { ...settings, DATABASE_URL: `${server.url}?ssl_mode=require` };
    const problem =
      'DATABASE_URL has the parameter ssl_mode, which has no effect; did you mean sslmode?';

    const doctor = await runDoctor(env);
    const serve = await runCommand(['serve'], env);

    expect(doctor.found['configuration']).toMatchObject({ state: 'wrong', found: problem });
    expect(serve).toMatchObject({ code: 78, stderr: expect.stringContaining(problem) });
  });

  it('of a standby stops migrate with the sentence of doctor (rule O4)', async () => {
    const standby = await PostgresqlServer.start();
    onTestFinished(async () => standby.stop());
    await using db = connectDatabase(standby.url);
    await sql`checkpoint`.execute(db);
    await standby.kill();
    writeFileSync(join(standby.folder, 'standby.signal'), '');
    await standby.restart();
    const env = { ...settings, DATABASE_URL: standby.url };

    const doctor = await runDoctor(env);
    const migrate = await runCommand(['migrate'], env);

    expect(doctor.found['database']).toMatchObject({
      state: 'wrong',
      found: expect.stringContaining('; it is a standby'),
      advice: 'set DATABASE_URL to the primary',
    });
    expect(migrate.stderr).toBe(
      'error: database: it is a standby; set DATABASE_URL to the primary\n',
    );
  });
});
