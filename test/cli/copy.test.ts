import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { primaryKeys } from '../../src/platform/database/copy.ts';
import { parseSecretKey } from '../../src/platform/config/secret-key.ts';
import type { Tables } from '../../src/platform/database/tables.ts';
import { open } from '../../src/platform/encryption/secret-box.ts';
import { readPrivateKey } from '../../src/vat-check/stored/evidence/signing-key.ts';
import { datesFrom } from '../journeys/support/days.ts';
import { runForJson } from '../support/run-cli.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
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

const copied = (Object.keys(primaryKeys) as (keyof Tables)[]).filter(
  (table) => primaryKeys[table] !== undefined,
);

/** On a slow machine even a small copy takes long enough to print progress. */
const progressOnly = /^(?:\d+ of \d+ rows (?:copied|compared)\n)*$/;

describe.skipIf(!isPostgresql)('copy --to (operator.md)', () => {
  it('copies every row unchanged but leases and replicas, whatever its texts are, and reports the comparison', async () => {
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
      datedBodies: 3 + 3 + 3 + 1,
      seconds: expect.any(Number),
      secretKeyFile: null,
    });
    // Every other table has rows; an empty table would be equal without a copy.
    expect(copied.filter((table) => expected[table]?.length === 0)).toEqual([
      'webhook_secrets',
      'webhook_headers',
      'evidence_keys',
    ]);
    expect(await readRows(target.db, 'leases', 'replicas')).toEqual({ leases: [], replicas: [] });
    // Processes at the target read again.
    const revisions = await target.db.selectFrom('revisions').selectAll().execute();
    expect(revisions).toMatchObject([{ topic: 'rates', revision: 1 }]);
  });

  it('creates missing tables with the address from a file, prints the next steps, and never the password', async () => {
    const source = await openSource();
    await storeEverything(source.db);
    const url = createEmptyTarget();
    const addressFile = join(temporaryFolder(), 'address');
    writeFileSync(addressFile, `${url.replace('vatfx@', 'vatfx:hush@')}\n`);

    const { code, stdout, stderr } = await runCopy(source.url, `@${addressFile}`);

    expect(code).toBe(0);
    expect(stdout).toContain(`Everything is in ${withoutPassword(url)}: the number of rows`);
    expect(stdout).toContain('What to do next:\n  1. set DATABASE_URL');
    expect(stdout).toContain('  2. set SECRET_KEY on every replica; make one with: openssl');
    expect(stdout).toContain(`keep ${source.file} and the files beside it as a backup`);
    expect(stdout + stderr).not.toContain('hush');
    const target = await openTemporaryDatabase(url);
    expect(await readRows(target, 'audit')).toEqual(await readRows(source.db, 'audit'));
  });

  it.each([
    ['is missing', undefined, 'secrets are stored, but SECRET_KEY is not set and '],
    ['does not fit', 'ab'.repeat(32), 'the stored secret of sub_1 cannot be decrypted'],
  ])('warns if secrets are stored and their key %s', async (_, key, tells) => {
    const source = await openSource();
    const secret = { id: 's', subscription_id: 'sub_1', sealed: 'v1.x', created_at: '' };
    const row = { ...secret, ends_at: null };
    await source.db.insertInto('webhook_secrets').values(row).execute();
    if (key !== undefined) writeFileSync(`${source.file}.secret-key`, key);

    const { code, stderr } = await runCopy(source.url, createEmptyTarget());

    expect(code).toBe(0);
    expect(stderr).toContain(`warning: ${tells}`);
  });

  it(
    'copies 7,000 days of exchange rates and 20,000 rows of use',
    { timeout: 120_000 },
    async () => {
      const source = await openSource();
      const target = await openTarget();
      const stored = { body: JSON.stringify({ rates: 'x'.repeat(600) }), stored_at: '' };
      const fx = datesFrom('1999-01-04', '2018-03-05').map((date) => ({ date, ...stored }));
      const use = Array.from({ length: 20_000 }, (_, n) => ({
        key_id: `key_${n % 250}`,
        use_date: fx[Math.floor(n / 250)]?.date ?? '',
        requests: n,
      }));
      await source.db.transaction().execute(async (tx) => {
        for (let at = 0; at < use.length; at += 1_000) {
          const [days, uses] = [fx.slice(at, at + 1_000), use.slice(at, at + 1_000)];
          if (days.length > 0) await tx.insertInto('fx_snapshots').values(days).execute();
          await tx.insertInto('key_use').values(uses).execute();
        }
      });

      const { code, stdout, stderr } = await runCopy(source.url, target.url, '--json');

      expect(code).toBe(0);
      const rows = { fx_snapshots: fx.length, key_use: 20_000 };
      expect(JSON.parse(stdout)).toMatchObject({ rows, datedBodies: fx.length });
      expect(stderr).toMatch(progressOnly);
    },
  );
});

describe.skipIf(!isPostgresql)('a service on the copy', () => {
  it('answers every path with the same bytes and validators to the same keys, and decrypts with the key from the file beside the embedded database', async () => {
    const { service, paths } = await startLiveEmbedded();
    const subscriber = await addSubscriber(service);
    const own = { description: 'Größe "L" 🧾', headers: { 'X-Gateway': 'open sesame' } };
    const created = await subscriber.subscribe('shop', own);
    const listed = await subscriber.get('/webhooks');
    const before = await readAnswers(service, paths);
    const { databaseUrl } = service.config;
    await service.stop();
    const env = { DATABASE_URL: databaseUrl };
    const { to } = await runForJson<{ to: string }>(['evidence', 'rotate'], env);
    const target = createEmptyTarget();
    const { code, stdout } = await runCopy(databaseUrl, target, '--json');
    const keyFile = `${databaseUrl.slice('file:'.length)}.secret-key`;
    const secretKey = readFileSync(keyFile, 'utf8').trim();

    const moved = await startService({ config: { databaseUrl: target, secretKey } });

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ secretKeyFile: keyFile });
    expect(await readAnswers(moved, paths, service.key)).toEqual(before);
    expect(before.filter(({ status }) => status === 200).length).toBeGreaterThan(15);
    const { db } = moved.core;
    const secrets = await db.selectFrom('webhook_secrets').selectAll().execute();
    const key = parseSecretKey(secretKey) ?? Buffer.alloc(0);
    const headers = await db.selectFrom('webhook_headers').selectAll().execute();
    expect([...secrets, ...headers].map(({ sealed }) => open(key, sealed, created.id))).toEqual([
      created.secret,
      '[["X-Gateway","open sesame"]]',
    ]);
    const evidence = await db.selectFrom('evidence_keys').selectAll().execute();
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
    },
    lived: days.map((day) => `${day}T16:00:00Z`),
  });
  const fxDates = await service.core.db.selectFrom('fx_snapshots').select('date').execute();
  const dated = [...days, '2026-11-17'].flatMap((day) => [`/rates/${day}`, `/changes/${day}`]);
  const latest = ['/rates', '/fx', '/changes?limit=200', '/changes?country=AT'];
  return { service, paths: [...latest, ...dated, ...fxDates.map(({ date }) => `/fx/${date}`)] };
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
