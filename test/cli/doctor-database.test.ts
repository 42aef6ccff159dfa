import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../support/run-cli.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
  temporaryFolder,
} from '../support/temporary-database.ts';
import { startWebhooks } from '../webhooks/support/start-webhooks.ts';
import { addSubscriber } from '../webhooks/support/subscriber.ts';
import { openSource, storeEverything } from './support/copy-world.ts';
import { runDoctor } from './support/run-doctor.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';

describe('doctor and the database (operator.md)', () => {
  it('warns of missing migrations, and then does not read the data', async () => {
    const { env } = await startUpstreams();
    const db = await openTemporaryDatabase(env['DATABASE_URL']);
    await sql`delete from kysely_migration where name = '0004-replicas'`.execute(db);

    const { code, found } = await runDoctor(env);

    expect(code).toBe(0);
    expect(found['database']?.found).toContain(', can be written');
    expect(found['migrations']).toMatchObject({
      state: 'warning',
      found: '1 not done yet: 0004-replicas',
      advice: 'make a backup, then start the server, which runs them',
    });
    expect(found['data']?.state).toBe('skipped');
  });

  it('reports a database of a newer version', async () => {
    const { env } = await startUpstreams();
    const db = await openTemporaryDatabase(env['DATABASE_URL']);
    await sql`insert into kysely_migration values ('9999-later', '2999-01-01')`.execute(db);

    const { code, found } = await runDoctor(env);

    expect(code).toBe(1);
    expect(found['database']?.state).toBe('wrong');
    expect(found['database']?.found).toContain('it was made by a newer vatfx (9999-later)');
  });

  it('reports webhook secrets that cannot be decrypted', async () => {
    const { env } = await startUpstreams();
    const db = await openTemporaryDatabase(env['DATABASE_URL']);
    await storeEverything(db);
    await db
      .insertInto('webhook_secrets')
      .values({
        id: 'whs_1',
        subscription_id: 'sub_1',
        sealed: 'v1.AAAA',
        created_at: '',
        ends_at: null,
      })
      .execute();

    const { code, found } = await runDoctor({ ...env, SECRET_KEY: '5e'.repeat(32) });

    expect(code).toBe(1);
    expect(found['secret key']?.state).toBe('wrong');
    expect(found['secret key']?.found).toContain('the stored secret of sub_1 cannot be decrypted');
    expect(found['secret key']?.advice).toContain('bring back the SECRET_KEY');
  });

  it('accepts a key that decrypts the webhook secrets', async () => {
    const service = await startWebhooks();
    await (await addSubscriber(service)).subscribe('shop');
    const { env } = await startUpstreams();
    const { databaseUrl, secretKey } = service.config;

    const { found } = await runDoctor({ ...env, DATABASE_URL: databaseUrl, SECRET_KEY: secretKey });

    expect(found['secret key']).toMatchObject({ state: 'ok' });
    expect(found['secret key']?.found).toMatch(/ fits$|, and fits$/);
  });
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

    const { code, found } = await runDoctor(settings);
    const { code: serveCode, stderr } = await runCommand(['serve'], settings);

    const advice = `set DATABASE_URL to a file, e.g. file:${folder}/vatfx.db`;
    expect([code, serveCode]).toEqual([1, 1]);
    expect(found['database']).toMatchObject({
      state: 'wrong',
      found: `${folder} is a folder, expected a file`,
      advice,
    });
    expect(stderr).toContain(`database: ${folder} is a folder, expected a file; ${advice}`);
  });

  it('warns of database files that other users can read, and leaves their modes', async () => {
    const { env } = await startUpstreams();
    const { file, url } = await openSource();
    chmodSync(file, 0o640);

    const { found } = await runDoctor({ ...env, DATABASE_URL: url });

    expect(found['files']).toMatchObject({
      state: 'warning',
      found: `other users can read ${file}`,
      advice: 'start the server, which makes them private, or run chmod 600 on them',
    });
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it('warns of a key file that other users can read', async () => {
    const { env } = await startUpstreams();
    const { file, url } = await openSource();
    writeFileSync(`${file}.secret-key`, '7a'.repeat(32));
    chmodSync(`${file}.secret-key`, 0o644);

    const { found } = await runDoctor({ ...env, DATABASE_URL: url });

    expect(found['secret key']).toMatchObject({
      state: 'warning',
      advice: `chmod 600 ${file}.secret-key`,
    });
  });

  it('reports a folder in which no file can be created', async () => {
    const { env } = await startUpstreams();

    const { found } = await runDoctor({ ...env, DATABASE_URL: 'file:/proc/none/vatfx.db' });

    expect(found['database']?.found).toContain('there is none yet at /proc/none/vatfx.db');
  });

  it('reports the free space of the disk', async () => {
    const { env } = await startUpstreams();
    const folder = temporaryFolder();

    const { found } = await runDoctor({ ...env, DATABASE_URL: `file:${join(folder, 'a/b.db')}` });

    expect(found['disk']?.found).toMatch(/^\d+ MB free in /);
    expect(found['disk']?.found).toContain(folder);
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

  it('reports columns that do not sort by their bytes', async () => {
    const { env } = await startUpstreams();
    const db = await openTemporaryDatabase(env['DATABASE_URL']);
    await sql`alter table audit alter column subject type text collate "default"`.execute(db);

    const { code, found } = await runDoctor(env);

    expect(code).toBe(1);
    expect(found['collation']).toMatchObject({
      state: 'wrong',
      found: 'these do not sort by their bytes: audit.subject',
    });
  });

  it('reports a read-only database', async () => {
    const { env } = await startUpstreams();
    await openTemporaryDatabase(env['DATABASE_URL']);
    const readOnly = `${env['DATABASE_URL']}?options=-c%20default_transaction_read_only%3Don`;

    const { code, found } = await runDoctor({ ...env, DATABASE_URL: readOnly });

    expect(code).toBe(1);
    expect(found['database']?.found).toContain('it is read-only');
  });

  it('reports a search_path without a schema', async () => {
    const { env } = await startUpstreams();
    const lost = `${env['DATABASE_URL']}?options=-c%20search_path%3Dnone`;

    const { found } = await runDoctor({ ...env, DATABASE_URL: lost });

    expect(found['database']).toMatchObject({ state: 'wrong' });
    expect(found['database']?.found).toContain('no schema of the search_path exists');
  });

  it('compares the clock of PostgreSQL', async () => {
    const { env } = await startUpstreams();
    await openTemporaryDatabase(env['DATABASE_URL']);

    const { found } = await runDoctor(env);

    expect(found['clock']?.found).toMatch(/^\d\.\d s (?:behind|ahead of) the database, /);
  });
});
