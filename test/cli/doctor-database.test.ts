import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findPgbouncer, Pooler } from '../journeys/support/pg-pooler.ts';
import { makeRole } from '../journeys/support/pg-replicas.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { runCommand } from '../support/run-cli.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
  temporaryDatabaseUrl,
  temporaryFolder,
} from '../support/temporary-database.ts';
import { openSource, storeEverything } from './support/copy-world.ts';
import { runDoctor } from './support/run-doctor.ts';

type Row = readonly [what: string, statement: string, check: string, state: string, found: string];

const onBoth: readonly Row[] = [
  [
    'a missing migration',
    "delete from kysely_migration where name = '0004-replicas'",
    'migrations',
    'warning',
    '1 not done yet: 0004-replicas',
  ],
  [
    'a database of a newer version',
    "insert into kysely_migration values ('9999-later', '2999-01-01')",
    'database',
    'wrong',
    'it was made by a newer vatfx (9999-later)',
  ],
  [
    'a webhook secret that cannot be decrypted',
    `insert into webhook_secrets (id, subscription_id, sealed, created_at)
      values ('whs_1', 'sub_1', 'v1.AAAA', '')`,
    'secret key',
    'wrong',
    'the stored secret of sub_1 cannot be decrypted',
  ],
];
const onPostgresql: readonly Row[] = [
  [
    'columns that do not sort by their bytes',
    'alter table audit alter column subject type text collate "default"',
    'collation',
    'wrong',
    'these do not sort by their bytes: audit.subject',
  ],
];

describe('doctor and the database (operator.md)', () => {
  it.each([...onBoth, ...(isPostgresql ? onPostgresql : [])])(
    'reports %s',
    async (_, statement, check, state, tells) => {
      const { env } = await startUpstreams();
      const db = await openTemporaryDatabase(env['DATABASE_URL']);
      await storeEverything(db);
      await sql.raw(statement).execute(db);

      const { code, found } = await runDoctor({ ...env, SECRET_KEY: '5e'.repeat(32) });

      expect(code).toBe(state === 'wrong' ? 1 : 0);
      expect(found[check]).toMatchObject({ state, found: expect.stringContaining(tells) });
      // It reads no data of another version.
      const data = check === 'migrations' ? found['data']?.state : 'skipped';
      expect(data).toBe('skipped');
    },
  );
});

describe.skipIf(isPostgresql)('doctor and the embedded database', () => {
  it.each<readonly [string, (file: string) => void, RegExp]>([
    ['is no database', (file) => writeFileSync(file, 'x'.repeat(9_000)), /file is not a database/],
    [
      'is damaged',
      (file) => writeFileSync(file, readFileSync(file).fill(0xa5, 8 * 4_096, 40 * 4_096)),
      /damaged|malformed/,
    ],
  ])('reports that the file %s', async (_, spoil, tells) => {
    const { env } = await startUpstreams();
    const { db, file, url } = await openSource();
    await storeEverything(db);
    await db.destroy();
    spoil(file);

    const { code, found } = await runDoctor({ ...env, DATABASE_URL: url });

    expect(code).toBe(1);
    expect(found['database']?.state).toBe('wrong');
    expect(found['database']?.found).toMatch(tells);
    expect(found['database']?.advice).toContain('restore FILE');
  });

  it('gives the same advice as serve if the database is a folder', async () => {
    const { env } = await startUpstreams();
    const folder = temporaryFolder();
    const settings = { ...env, DATABASE_URL: `file:${folder}` };

    const { found } = await runDoctor(settings);
    const { code, stderr } = await runCommand(['serve'], settings);

    const [problem, advice] = [
      `${folder} is a folder, expected a file`,
      `set DATABASE_URL to a file, e.g. file:${folder}/vatfx.db`,
    ];
    expect(found['database']).toMatchObject({ state: 'wrong', found: problem, advice });
    expect(code).toBe(1);
    expect(stderr).toContain(`database: ${problem}; ${advice}`);
  });

  it('warns of files that other users can read, and leaves their modes', async () => {
    const { env } = await startUpstreams();
    const { file, url } = await openSource();
    const keyFile = `${file}.secret-key`;
    writeFileSync(keyFile, '7a'.repeat(32));
    chmodSync(keyFile, 0o644);
    chmodSync(file, 0o640);

    const { found } = await runDoctor({ ...env, DATABASE_URL: url });

    expect(found['files']).toMatchObject({
      state: 'warning',
      found: expect.stringContaining(`other users can read ${file}`),
      advice: 'start the server, which makes them private, or run chmod 600 on them',
    });
    expect(found['secret key']).toMatchObject({ state: 'warning', advice: `chmod 600 ${keyFile}` });
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });
});

describe.skipIf(!isPostgresql)('doctor and PostgreSQL', () => {
  it('reports that SECRET_KEY is not set', async () => {
    const { env } = await startUpstreams();
    await openTemporaryDatabase(env['DATABASE_URL']);

    const { code, found } = await runDoctor({ ...env, SECRET_KEY: '' });

    expect(code).toBe(1);
    expect(found['secret key']).toMatchObject({
      state: 'wrong',
      found: 'SECRET_KEY is not set',
      advice: expect.stringContaining('openssl rand -hex 32'),
    });
  });

  it.each([['search_path%3Dnone', 'no schema of the search_path exists']])(
    'reports a connection with %s',
    async (setting, tells) => {
      const { env } = await startUpstreams();
      await openTemporaryDatabase(env['DATABASE_URL']);
      const DATABASE_URL = `${env['DATABASE_URL']}?options=-c%20${setting}`;

      const { code, found } = await runDoctor({ ...env, DATABASE_URL });

      expect(code).toBe(1);
      expect(found['database']).toMatchObject({
        state: 'wrong',
        found: expect.stringContaining(tells),
      });
    },
  );
});

describe.skipIf(!isPostgresql)(
  'doctor and the connections that PostgreSQL allows (operator rule O3)',
  () => {
    const counted = '1 server with DATABASE_CONNECTIONS=8 and a command need 10 connections';

    it.each([
      ['connection limit 10', 'ok', undefined],
      [
        'connection limit 9',
        'warning',
        'set DATABASE_CONNECTIONS to 7 for each server, or raise the limit: alter role "ROLE" connection limit 10',
      ],
      ['connection limit 3', 'warning', 'raise the limit: alter role "ROLE" connection limit 10'],
    ])('compares the %s of the role', async (limit, state, advice) => {
      const { env } = await startUpstreams();
      const url = temporaryDatabaseUrl({ isEmpty: true });
      const role = makeRole(url, limit);
      await openTemporaryDatabase(role.url);

      const { found } = await runDoctor({
        ...env,
        DATABASE_URL: role.url,
        DATABASE_CONNECTIONS: '8',
      });

      const most = limit.split(' ').at(-1);
      expect(found['database limits']).toMatchObject({
        state,
        found: `${counted}; the role ${role.name} allows ${most}`,
      });
      expect(found['database limits']?.advice).toBe(advice?.replace('ROLE', role.name));
    });

    it.skipIf(findPgbouncer() === undefined)(
      'says that the limits of a pooler are not visible',
      async () => {
        const { env } = await startUpstreams();
        const pooler = await Pooler.start(temporaryDatabaseUrl());
        onTestFinished(async () => pooler.stop());

        const { found } = await runDoctor({
          ...env,
          DATABASE_URL: pooler.url,
          DATABASE_CONNECTIONS: '8',
        });

        expect(found['database limits']).toMatchObject({
          state: 'ok',
          found: `${counted} to a pooler; its limits are not visible here (of PgBouncer: max_client_conn)`,
        });
      },
    );
  },
);

describe.skipIf(!isPostgresql)('backup and restore with PostgreSQL', () => {
  it.each([
    ['backup', 'pg_dump --format=custom --file=monday.dump "$DATABASE_URL"'],
    ['restore', 'pg_restore --clean --if-exists --dbname="$DATABASE_URL" monday.dump'],
  ])('%s names the program of PostgreSQL to use instead', async (command, program) => {
    const env = { DATABASE_URL: temporaryDatabaseUrl(), SECRET_KEY: '5e'.repeat(32) };

    const { code, stderr } = await runCommand([command, 'monday.dump'], env);

    expect(code).toBe(1);
    expect(stderr).toContain(program);
  });
});
