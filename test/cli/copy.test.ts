import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { primaryKeys } from '../../src/platform/database/copy.ts';
import { parseSecretKey } from '../../src/platform/config/secret-key.ts';
import type { Tables } from '../../src/platform/database/tables.ts';
import { open } from '../../src/platform/encryption/secret-box.ts';
import { readPrivateKey } from '../../src/vat-check/stored/evidence/signing-key.ts';
import { datesFrom } from '../journeys/support/days.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
import { startService, type TestService } from '../support/start-service.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
  temporaryFolder,
} from '../support/temporary-database.ts';
import { startWebhooks } from '../webhooks/support/start-webhooks.ts';
import { addSubscriber } from '../webhooks/support/subscriber.ts';
import {
  readRows,
  createEmptyTarget,
  openSource,
  openTarget,
  runCopy,
  storeEverything,
} from './support/copy-world.ts';
import { changeRate } from '../support/sandbox/scripts.ts';

const copied = (Object.keys(primaryKeys) as (keyof Tables)[]).filter(
  (table) => primaryKeys[table] !== undefined,
);

/** On a slow machine even a small copy takes long enough to print progress. */
const progressOnly = /^(?:\d+ of \d+ rows (?:copied|compared)\n)*$/;

describe.skipIf(!isPostgresql)('copy --to (operator.md)', () => {
  it('copies every row unchanged, whatever its texts are, and reports the comparison', async () => {
    const source = await openSource();
    await storeEverything(source.db);
    const target = await openTarget();

    const { code, stdout, stderr } = await runCopy(source.url, target.url, '--json');

    expect(code).toBe(0);
    expect(stderr).toMatch(progressOnly);
    const expected = await readRows(source.db, ...copied);
    const ownEpoch = { event_log_epochs: [...expected['event_log_epochs']!, expect.any(String)] };
    expect(await readRows(target.db, ...copied)).toEqual({ ...expected, ...ownEpoch });
    expect(JSON.parse(stdout)).toEqual({
      from: source.file,
      to: withoutPassword(target.url),
      rows: Object.fromEntries(copied.map((table) => [table, expected[table]?.length])),
      datedBodies: 3 + 3 + 1,
      seconds: expect.any(Number),
      secretKeyFile: null,
    });
    // Every other table has rows; an empty table would be equal without a copy.
    expect(copied.filter((table) => expected[table]?.length === 0)).toEqual([
      'webhook_secrets',
      'evidence_keys',
    ]);
  });

  it('omits leases and replicas, and makes processes at the target read again', async () => {
    const source = await openSource();
    await storeEverything(source.db);
    const target = await openTarget();

    await runCopy(source.url, target.url);

    expect(await readRows(target.db, 'leases', 'replicas')).toEqual({ leases: [], replicas: [] });
    const revisions = await target.db.selectFrom('revisions').selectAll().execute();
    expect(revisions).toMatchObject([{ topic: 'rates', revision: 1 }]);
  });

  it('creates missing tables, with the address from a file', async () => {
    const source = await openSource();
    await storeEverything(source.db);
    const url = createEmptyTarget();
    const addressFile = join(temporaryFolder(), 'address');
    writeFileSync(addressFile, `${url}\n`);

    const { code, stdout } = await runCopy(source.url, `@${addressFile}`);

    expect(code).toBe(0);
    expect(stdout).toContain(`Everything is in ${withoutPassword(url)}: the number of rows`);
    const target = await openTemporaryDatabase(url);
    expect(await readRows(target, 'audit')).toEqual(await readRows(source.db, 'audit'));
  });

  it('copies an empty installation', async () => {
    const source = await openSource();

    const { code, stdout } = await runCopy(source.url, createEmptyTarget());

    expect(code).toBe(0);
    expect(stdout).toContain('their digest are the same in each table');
  });

  it('prints the next steps, and never the password', async () => {
    const source = await openSource();
    const url = createEmptyTarget().replace('vatfx@', 'vatfx:hush@');

    const { code, stdout, stderr } = await runCopy(source.url, url);

    expect(code).toBe(0);
    expect(stdout).toContain('What to do next:\n  1. set DATABASE_URL');
    expect(stdout).toContain('  2. set SECRET_KEY on every replica; make one with: openssl');
    expect(stdout).toContain(`keep ${source.file} and the files beside it as a backup`);
    expect(stdout).toMatch(/^Everything is in postgres:\/\/[^@?]+: the number of rows/m);
    expect(stdout + stderr).not.toContain('hush');
  });

  it('says to use the configured key on every replica', async () => {
    const source = await openSource();
    const env = { DATABASE_URL: source.url, SECRET_KEY: 'ab'.repeat(32) };

    const { stdout } = await runCommand(['copy', '--to', createEmptyTarget()], env);

    expect(stdout).toContain('  2. set SECRET_KEY on every replica to its value here\n');
    expect(stdout).not.toContain('abab');
  });

  it('warns if secrets are stored and their key is missing', async () => {
    const source = await openSource();
    const secret = { id: 's', subscription_id: 'sub_1', sealed: 'v1.x', created_at: '' };
    await source.db
      .insertInto('webhook_secrets')
      .values({ ...secret, ends_at: null })
      .execute();

    const { code, stderr } = await runCopy(source.url, createEmptyTarget());

    expect(code).toBe(0);
    expect(stderr).toContain(
      `warning: secrets are stored, but SECRET_KEY is not set and ${source.file}.secret-key ` +
        'does not exist',
    );
  });

  it('warns if the key cannot decrypt the webhook secrets', async () => {
    const source = await openSource();
    const secret = { id: 's', subscription_id: 'sub_1', sealed: 'v1.x', created_at: '' };
    await source.db
      .insertInto('webhook_secrets')
      .values({ ...secret, ends_at: null })
      .execute();
    writeFileSync(`${source.file}.secret-key`, 'ab'.repeat(32));

    const { code, stdout, stderr } = await runCopy(source.url, createEmptyTarget());

    expect(code).toBe(0);
    expect(stdout).toContain(`2. set SECRET_KEY_FILE=${source.file}.secret-key`);
    expect(stderr).toContain('warning: the stored secret of sub_1 cannot be decrypted');
  });
});

describe.skipIf(!isPostgresql)('copy --to of a large database', () => {
  it(
    'copies 7,000 days of exchange rates and 100,000 rows of use, and prints progress',
    { timeout: 120_000 },
    async () => {
      const source = await openSource();
      const target = await openTarget();
      const fx = datesFrom('1999-01-04', '2018-03-05').map((date) => ({
        date,
        body: JSON.stringify({ date, rates: 'x'.repeat(600) }),
        stored_at: '',
      }));
      const use = Array.from({ length: 100_000 }, (_, n) => ({
        key_id: `key_${n % 250}`,
        use_date: fx[Math.floor(n / 250)]?.date ?? '',
        requests: n,
      }));
      await source.db.transaction().execute(async (tx) => {
        for (let at = 0; at < fx.length; at += 1_000)
          await tx
            .insertInto('fx_snapshots')
            .values(fx.slice(at, at + 1_000))
            .execute();
        for (let at = 0; at < use.length; at += 1_000)
          await tx
            .insertInto('key_use')
            .values(use.slice(at, at + 1_000))
            .execute();
      });

      const { code, stdout, stderr } = await runCopy(source.url, target.url, '--json');

      expect(code).toBe(0);
      const done = JSON.parse(stdout) as { readonly seconds: number };
      expect(done).toMatchObject({
        rows: { fx_snapshots: fx.length, key_use: 100_000 },
        datedBodies: fx.length,
      });
      expect(stderr).toMatch(progressOnly);
      console.log(`copied ${fx.length} days and 100000 rows of use in ${done.seconds} s`);
    },
  );
});

describe.skipIf(!isPostgresql)('a service on the copy', () => {
  it('answers every path with the same bytes and validators, to the same keys', async () => {
    const { service, paths } = await startLiveEmbedded();
    const before = await readAnswers(service, paths);
    const { databaseUrl } = service.config;
    await service.stop();
    const target = createEmptyTarget();
    expect((await runCopy(databaseUrl, target)).code).toBe(0);

    const moved = await startMoved(service, target);

    expect(await readAnswers(moved, paths, service.key)).toEqual(before);
    expect(before.filter(({ status }) => status === 200).length).toBeGreaterThan(15);
  });

  it('decrypts webhook secrets and the key of evidence with the key from the file beside the embedded database', async () => {
    const { service } = await startLiveEmbedded();
    const subscriber = await addSubscriber(service);
    const created = await subscriber.subscribe('shop', { description: 'Größe "L" 🧾' });
    const listed = await subscriber.get('/webhooks');
    const { databaseUrl } = service.config;
    await service.stop();
    const { to } = await runForJson<{ to: string }>(['evidence', 'rotate'], {
      DATABASE_URL: databaseUrl,
    });
    const target = createEmptyTarget();
    const { stdout } = await runCopy(databaseUrl, target, '--json');

    const moved = await startMoved(service, target);

    expect(JSON.parse(stdout)).toMatchObject({ secretKeyFile: keyFileOf(service) });
    const secrets = await moved.core.db.selectFrom('webhook_secrets').selectAll().execute();
    const key = parseSecretKey(moved.config.secretKey) ?? Buffer.alloc(0);
    expect(secrets.map(({ sealed }) => open(key, sealed, created.id))).toEqual([created.secret]);
    const evidence = await moved.core.db.selectFrom('evidence_keys').selectAll().execute();
    expect(evidence.map(({ sealed }) => readPrivateKey(open(key, sealed, to)).id)).toEqual([to]);
    const authorization = `Bearer ${subscriber.key}`;
    expect((await moved.get('/webhooks', { authorization })).text).toBe(listed.text);
  });
});

/** A service on an embedded database with some days and changes, and the paths that it answers. */
async function startLiveEmbedded(): Promise<{
  readonly service: TestService;
  readonly paths: readonly string[];
}> {
  const { url } = await openSource();
  const days = ['2026-11-18', '2026-11-19', '2026-11-20'];
  const service = await startWebhooks({
    at: '2026-11-18T16:00:00Z',
    config: { databaseUrl: url, secretKey: '' },
    script: (scenario) => {
      changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-19');
      changeRate(scenario, 'AT', 'reduced', ['10', '13', '19'], '2026-11-20');
      changeRate(scenario, 'EE', 'standard', ['25'], '2026-11-20');
    },
    lived: days.map((day) => `${day}T16:00:00Z`),
  });
  const fxDates = await service.core.db.selectFrom('fx_snapshots').select('date').execute();
  const paths = [
    '/rates',
    '/fx',
    '/changes?limit=200',
    '/changes?country=AT',
    ...[...days, '2026-11-17'].flatMap((day) => [`/rates/${day}`, `/changes/${day}`]),
    ...fxDates.map(({ date }) => `/fx/${date}`),
  ];
  return { service, paths };
}

async function startMoved(service: TestService, databaseUrl: string): Promise<TestService> {
  const secretKey = readFileSync(keyFileOf(service), 'utf8').trim();
  return startService({ config: { databaseUrl, secretKey } });
}

function keyFileOf({ config }: TestService): string {
  return `${config.databaseUrl.slice('file:'.length)}.secret-key`;
}

async function readAnswers(service: TestService, paths: readonly string[], key = service.key) {
  const answers = [];
  for (const path of paths) {
    const answer = await service.get(path, { authorization: `Bearer ${key}` });
    const { status, text, headers } = answer;
    const { etag, 'cache-control': cacheControl } = headers;
    answers.push({ path, status, text, etag, cacheControl });
  }
  return answers;
}

/** Removes user, password and parameters from an address. */
function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@]*@/, '//').replace(/\?.*/, '');
}
