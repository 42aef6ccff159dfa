import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { formatApiKey } from '../../src/access/api-key.ts';
import { createKey, revokeKey } from '../../src/access/store.ts';
import { connectDatabase } from '../../src/platform/database/database.ts';
import type { Answer, Question } from '../support/ask.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { shareService, startService, type TestService } from '../support/start-service.ts';

const friday = '2026-11-20T16:00:00Z';
const stranger = formatApiKey(new Uint8Array(32).fill(7));

async function addKey(
  service: TestService,
  expiresAt: string | null = null,
): Promise<{ readonly id: string; readonly key: string }> {
  const at = '2026-11-20T12:00:00.000Z';
  return createKey(service.core.db, { name: 'other', expiresAt, at });
}

async function askWith(service: TestService, key: string): Promise<number> {
  const { status } = await service.ask({
    path: '/rates',
    headers: { authorization: `Bearer ${key}` },
  });
  return status;
}

/** An answer without what differs from request to request. */
function strip({ status, headers, text }: Answer): unknown {
  return { status, text, headers: { ...headers, date: '', 'x-request-id': '' } };
}

describe('a request without a good key (interface 5, contract C25)', () => {
  const service = shareService({ lived: [friday] });

  it('is answered 401 INVALID_KEY and told how to do it', async () => {
    const answer = await service().ask({ path: '/rates' });

    expect(formOf(answer)).toEqual(errorForm(401, 'INVALID_KEY'));
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="vatfx"');
  });

  it.each<[string, (key: string) => Question['headers']]>([
    ['an empty header', () => ({ authorization: '' })],
    ['the scheme alone', () => ({ authorization: 'Bearer' })],
    ['a key without the scheme', (key) => ({ authorization: key })],
    ['a key in another scheme', (key) => ({ authorization: `Token ${key}` })],
    ['a key as a password', (key) => ({ authorization: `Basic ${btoa(`:${key}`)}` })],
    ['the scheme glued to the key', (key) => ({ authorization: `Bearer${key}` })],
    ['a colon behind the scheme', (key) => ({ authorization: `Bearer: ${key}` })],
    ['a quoted key', (key) => ({ authorization: `Bearer "${key}"` })],
    ['a key cut short', (key) => ({ authorization: `Bearer ${key.slice(0, -1)}` })],
    ['a key with something behind it', (key) => ({ authorization: `Bearer ${key}x` })],
    ['a key with a word behind it', (key) => ({ authorization: `Bearer ${key} x` })],
    ['a key in lower case', (key) => ({ authorization: `Bearer ${key.toLowerCase()}` })],
    ['a key of another product', (key) => ({ authorization: `Bearer sk_${key.slice(4)}` })],
    [
      'a key with a bad checksum',
      () => ({ authorization: `Bearer ${stranger.slice(0, -6)}000000` }),
    ],
    ['a key that was never given out', () => ({ authorization: `Bearer ${stranger}` })],
    ['two keys in one header', (key) => ({ authorization: `Bearer ${key}, Bearer ${key}` })],
    ['two headers', (key) => ({ authorization: [`Bearer ${key}`, `Bearer ${key}`] })],
    ['two headers, one of them bad', (key) => ({ authorization: [`Bearer ${key}`, 'Bearer x'] })],
    ['the key in a cookie', (key) => ({ cookie: `authorization=Bearer ${key}; key=${key}` })],
    ['the key in X-Api-Key', (key) => ({ 'x-api-key': key })],
    ['the key for a proxy', (key) => ({ 'proxy-authorization': `Bearer ${key}` })],
    ['10,000 characters', () => ({ authorization: `Bearer ${'a'.repeat(10_000)}` })],
    ['characters beyond ASCII', (key) => ({ authorization: `Bearer ${key.slice(0, -1)}\u00e9` })],
  ])('is answered alike for %s', async (_what, headersFor) => {
    const missing = await service().ask({ path: '/rates' });

    const answer = await service().ask({
      path: '/rates',
      headers: headersFor(service().key) ?? {},
    });

    expect(strip(answer)).toEqual(strip(missing));
  });

  it.each(['access_token', 'api_key', 'apikey', 'key', 'token', 'authorization'])(
    'is answered alike with the key in the query, as ?%s',
    async (parameter) => {
      const missing = await service().ask({ path: '/rates' });

      const answer = await service().ask({ path: `/rates?${parameter}=${service().key}` });

      expect(strip(answer)).toEqual(strip(missing));
    },
  );

  it('is answered alike for an expired and for a revoked key', async () => {
    const missing = await service().ask({ path: '/rates' });
    const expired = await addKey(service(), '2026-11-20T00:00:00.000Z');
    const revoked = await addKey(service());
    await revokeKey(service().core.db, revoked.id, '2026-11-20T12:00:01.000Z');

    const answers = await Promise.all(
      [expired, revoked].map(async ({ key }) =>
        service().ask({ path: '/rates', headers: { authorization: `Bearer ${key}` } }),
      ),
    );

    expect(answers.map(strip)).toEqual([strip(missing), strip(missing)]);
  });

  it('is answered 401 without a body for HEAD', async () => {
    const { status, headers, text } = await service().ask({ method: 'HEAD', path: '/rates' });

    expect([status, text]).toEqual([401, '']);
    expect(headers).toMatchObject({
      'content-length': '23',
      'www-authenticate': 'Bearer realm="vatfx"',
    });
  });
});

describe('a good key (interface 5, contract C25)', () => {
  const shared = shareService({ lived: [friday] });

  it.each([
    ['as it should be', 'Bearer '],
    ['in lower case', 'bearer '],
    ['in upper case', 'BEARER '],
    ['with more blanks', 'Bearer   '],
  ])('is read with the scheme %s', async (_how, scheme) => {
    const { status } = await shared().get('/rates', { authorization: scheme + shared().key });

    expect(status).toBe(200);
  });

  it('works for HEAD', async () => {
    const headers = { authorization: `Bearer ${shared().key}` };

    const { status } = await shared().ask({ method: 'HEAD', path: '/rates', headers });

    expect(status).toBe(200);
  });

  it('is never remembered as unknown: it works as soon as its record is there', async () => {
    const service = await startService({ lived: [friday] });
    const { db } = service.core;
    const { id, key } = await addKey(service);
    const records = await db.deleteFrom('api_keys').where('id', '=', id).returningAll().execute();
    const before = await askWith(service, key);

    await db.insertInto('api_keys').values(records).execute();

    expect([before, await askWith(service, key)]).toEqual([401, 200]);
  });

  it('works over a restart', async () => {
    const service = await startService({ lived: [friday] });

    await service.restart();

    expect(await askWith(service, service.key)).toBe(200);
  });

  it('works through its last day and not a millisecond longer', async () => {
    const service = await startService({ lived: [friday] });
    const { key } = await addKey(service, '2026-11-21T00:00:00.000Z');

    service.scenario.setNow('2026-11-20T23:59:59.999Z');
    const atTheEnd = await askWith(service, key);
    service.scenario.setNow('2026-11-21T00:00:00.000Z');
    const after = await askWith(service, key);

    expect([atTheEnd, after]).toEqual([200, 401]);
  });

  it('ends within 5 s of its revocation by another process', async () => {
    const service = await startService({ lived: [friday] });
    const { id, key } = await addKey(service);
    const before = await askWith(service, key);
    const beside = connectDatabase(service.config.databaseUrl);
    onTestFinished(async () => beside.destroy());

    await revokeKey(beside, id, '2026-11-20T12:00:01.000Z');

    expect(before).toBe(200);
    await expect
      .poll(async () => askWith(service, key), { timeout: 5_000, interval: 20 })
      .toBe(401);
    expect(await askWith(service, service.key)).toBe(200);
  });
});

describe('while the database is away (contract C25)', () => {
  it('keys that were seen before go on working', async () => {
    const service = await startService({ lived: [friday] });
    await askWith(service, service.key);

    await service.core.db.destroy();

    expect(await askWith(service, service.key)).toBe(200);
  });

  it('they do so for at most ten minutes', async () => {
    const service = await startService({ lived: [friday] });
    await askWith(service, service.key);
    await service.core.db.destroy();
    const now = performance.now.bind(performance);
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 10 * 60_000);
    onTestFinished(() => later.mockRestore());

    expect(await askWith(service, service.key)).toBe(500);
  });
});

describe('the key itself (contract C25)', () => {
  it('is in no line of the log, whatever happens', async () => {
    const service = await startService({ lived: [friday] });
    const { key } = service;
    const bearer = { authorization: `Bearer ${key}` };
    const asked: Question[] = [
      { path: '/rates', headers: bearer },
      { path: `/rates?key=${key}`, headers: bearer },
      { path: `/rates/${key}`, headers: bearer },
      { path: `/${key}`, headers: { ...bearer, cookie: key, referer: `http://x/${key}` } },
      { path: `/changes?since=${key}&country=${key}`, headers: bearer },
      { path: '/rates', headers: { authorization: [`Bearer ${key}`, `Bearer ${key}`] } },
      { path: '/rates', headers: { authorization: `Basic ${key}` } },
      { method: 'POST', path: '/rates', headers: bearer, body: key },
    ];

    for (const question of asked) await service.ask(question);
    await service.core.db.schema.dropTable('rate_changes').execute();
    await service.ask({ path: '/changes', headers: bearer });
    await service.core.db.destroy();
    await service.ask({ path: '/rates', headers: { authorization: `Bearer ${stranger}` } });
    const metrics = await service.askOps('/metrics');

    const written = [...service.logLines, metrics.text].join('');
    expect(service.logLines.filter((line) => line.includes('"msg":"request"'))).toHaveLength(10);
    expect(written).not.toContain(key.slice(4));
    expect(written).not.toContain(stranger.slice(4));
  });

  it('is told apart in the log by its id', async () => {
    const service = await startService({ lived: [friday] });
    const { id, key } = await addKey(service);

    await askWith(service, key);
    await service.ask({ path: '/rates' });

    const lines = service.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const keyIds = lines.filter(({ msg }) => msg === 'request').map(({ keyId }) => keyId);
    expect(keyIds).toEqual([id, null]);
  });

  it('is in no file of the data folder', async () => {
    const service = await startService({ lived: [friday] });
    const folder = dirname(service.config.databaseUrl.slice('file:'.length));

    const bytes = Buffer.concat(
      readdirSync(folder).map((file) => readFileSync(join(folder, file))),
    );

    expect(bytes.includes('api_keys')).toBe(true);
    expect(bytes.includes(service.key.slice(4, -6))).toBe(false);
  });
});
