import { describe, expect, it } from 'vitest';
import { revokeKey, rotateKey } from '../../src/access/authentication/key-changes.ts';
import type { TestRequest } from '../support/send-request.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { shareService, startService } from '../support/start-service.ts';
import { addCaller, sendTimes, callerWith, strip } from './support/caller.ts';
import { addRefused, refusedReasons } from './support/refused-keys.ts';
import { setNow } from '../support/sandbox/scripts.ts';
import { boundOf } from '../support/eventually.ts';

const friday = '2026-11-20T16:00:00Z';
const at = '2026-11-20T16:00:00.000Z';

/** Revocation and expiry work within 5 s. They mostly take half a second, so the condition is checked often. */
const seenWithin = { timeout: boundOf(5_000), interval: 20 };

describe('a request without a valid key (interface 5, contract C25)', () => {
  const service = shareService({ lived: [friday] });

  it('is answered 401 INVALID_KEY with WWW-Authenticate', async () => {
    const answer = await service().sendRequest({ path: '/rates' });

    expect(formOf(answer)).toEqual(errorForm(401, 'INVALID_KEY'));
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer realm="vatfx", error="invalid_request", error_description="no Authorization header"',
    );
  });

  it.each<[what: string, headersFor: (key: string) => TestRequest['headers'], reason: string]>([
    ['two headers', (key) => ({ authorization: [key, key] }), 'more than one Authorization header'],
    ['another scheme', (key) => ({ authorization: `Basic ${key}` }), 'expected the scheme Bearer'],
    ['no key', () => ({ authorization: 'Bearer' }), 'expected one key behind Bearer'],
    ['two', (key) => ({ authorization: `bearer ${key} x` }), 'expected one key behind Bearer'],
    [
      'a cut key',
      (key) => ({ authorization: `Bearer ${key.slice(1)}` }),
      'a key has 53 characters',
    ],
    [
      'other signs',
      (key) => ({ authorization: `Bearer ${key.slice(0, -1)}-` }),
      'a key is vfx_ and letters and digits',
    ],
    [
      'a typing error',
      (key) => ({ authorization: `Bearer ${key.slice(0, -6)}000000` }),
      'the checksum of the key does not match',
    ],
  ])('is told what is wrong with it: %s (contract C4a)', async (_what, headersFor, reason) => {
    const headers = headersFor(service().key) ?? {};

    const answer = await service().sendRequest({ path: '/rates', headers });

    expect(formOf(answer)).toEqual(errorForm(401, 'INVALID_KEY'));
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer realm="vatfx", error="invalid_request", error_description="${reason}"`,
    );
  });

  it.each(['unknown', 'expired', 'revoked', 'rotated'] as const)(
    'is told nothing of a key that is %s but that it is not accepted (contract C4a)',
    async (reason) => {
      const { headers } = await addRefused(service(), reason);

      const answer = await service().sendRequest({ path: '/rates', headers });

      expect(answer.headers['www-authenticate']).toBe(
        'Bearer realm="vatfx", error="invalid_token"',
      );
    },
  );

  it.each<[string, (key: string) => TestRequest['headers']]>([
    ['an empty header', () => ({ authorization: '' })],
    ['the scheme alone', () => ({ authorization: 'Bearer' })],
    ['a key without the scheme', (key) => ({ authorization: key })],
    ['a key in another scheme', (key) => ({ authorization: `Token ${key}` })],
    ['a key as a password', (key) => ({ authorization: `Basic ${btoa(`:${key}`)}` })],
    ['the scheme glued to the key', (key) => ({ authorization: `Bearer${key}` })],
    ['a quoted key', (key) => ({ authorization: `Bearer "${key}"` })],
    ['a key with something behind it', (key) => ({ authorization: `Bearer ${key}x` })],
    ['a key with a word behind it', (key) => ({ authorization: `Bearer ${key} x` })],
    ['a key in lower case', (key) => ({ authorization: `Bearer ${key.toLowerCase()}` })],
    ['a key of another product', (key) => ({ authorization: `Bearer sk_${key.slice(4)}` })],
    ['two keys in one header', (key) => ({ authorization: `Bearer ${key}, Bearer ${key}` })],
    ['two headers', (key) => ({ authorization: [`Bearer ${key}`, `Bearer ${key}`] })],
    ['two headers, one of them bad', (key) => ({ authorization: [`Bearer ${key}`, 'Bearer x'] })],
    ['the key in a cookie', (key) => ({ cookie: `authorization=Bearer ${key}; key=${key}` })],
    ['the key in X-Api-Key', (key) => ({ 'x-api-key': key })],
    ['the key for a proxy', (key) => ({ 'proxy-authorization': `Bearer ${key}` })],
    ['10,000 characters', () => ({ authorization: `Bearer ${'a'.repeat(10_000)}` })],
    ['characters beyond ASCII', (key) => ({ authorization: `Bearer ${key.slice(0, -1)}\u00e9` })],
  ])('has the same answer for %s', async (_what, headersFor) => {
    const missing = await service().sendRequest({ path: '/rates' });

    const answer = await service().sendRequest({
      path: '/rates',
      headers: headersFor(service().key) ?? {},
    });

    expect(strip(answer)).toEqual(strip(missing));
  });

  it('has the same answer with the key in the query', async () => {
    const missing = await service().sendRequest({ path: '/rates' });
    const names = ['access_token', 'api_key', 'apikey', 'key', 'token', 'authorization'];
    const query = names.map((name) => `${name}=${service().key}`).join('&');

    expect(strip(await service().sendRequest({ path: `/rates?${query}` }))).toEqual(strip(missing));
  });

  it.each(refusedReasons)('has the same answer for a key that is %s', async (reason) => {
    const missing = await service().sendRequest({ path: '/rates' });
    const { headers } = await addRefused(service(), reason);

    expect(strip(await service().sendRequest({ path: '/rates', headers }))).toEqual(strip(missing));
  });
});

describe('a request without a valid key is answered 401 (contract C3)', () => {
  const service = shareService({ lived: [friday] });

  it.each<[what: string, method: string, path: string, headers: Record<string, string>]>([
    ['404 for a route', 'GET', '/nowhere', {}],
    ['404 for a date', 'GET', '/rates/2020-01-01', {}],
    ['405', 'POST', '/rates', {}],
    ['405 to OPTIONS', 'OPTIONS', '/fx', {}],
    ['304', 'GET', '/rates', { 'if-none-match': '*' }],
    ['400 for a date', 'GET', '/fx/x', {}],
    ['400 for a parameter', 'GET', '/changes?limit=0', {}],
    ['400 for a body', 'POST', '/rates', { 'content-type': 'application/json' }],
    ['422', 'GET', '/vatcheck/AT/1', {}],
    ['a cached VAT check', 'GET', '/vatcheck/AT/U99999901', {}],
    ['/usage', 'GET', '/usage', {}],
  ])('instead of %s', async (_what, method, path, others) => {
    await service().get('/vatcheck/AT/U99999901');
    const missing = await service().sendRequest({ path: '/rates' });
    const { headers } = await addRefused(service(), 'revoked');

    const answers = [
      await service().sendRequest({ method, path, headers: others }),
      await service().sendRequest({ method, path, headers: { ...others, ...headers } }),
    ];

    expect(answers.map(strip)).toEqual([strip(missing), strip(missing)]);
  });

  it.each([
    ['rate limit', { rateLimit: 1 }],
    ['quota', { quota: 1 }],
  ])('instead of 429, if its key is revoked and has no %s left', async (_limit, limits) => {
    const own = await startService({ lived: [friday] });
    const caller = await addCaller(own, limits);
    const statuses = await sendTimes(caller, 2);

    await revokeKey(own.core.db, caller.id, { at });

    expect(statuses).toEqual([200, 429]);
    await expect.poll(async () => sendTimes(caller, 1), seenWithin).toEqual([401]);
  });
});

describe('a valid key (interface 5, contract C25)', () => {
  const shared = shareService({ lived: [friday] });

  it.each([
    ['as it should be', 'Bearer '],
    ['in lower case', 'bearer '],
    ['in upper case', 'BEARER '],
    ['with more blanks', 'Bearer   '],
  ])('is accepted with the scheme %s', async (_how, scheme) => {
    const { status } = await shared().get('/rates', { authorization: scheme + shared().key });

    expect(status).toBe(200);
  });

  it('works as soon as its secret is stored, also if it was unknown before', async () => {
    const service = await startService({ lived: [friday] });
    const { db } = service.core;
    const caller = await addCaller(service);
    const secrets = await db
      .deleteFrom('key_secrets')
      .where('key_id', '=', caller.id)
      .returningAll()
      .execute();
    const before = await sendTimes(caller, 1);

    await db.insertInto('key_secrets').values(secrets).execute();

    expect([before, await sendTimes(caller, 1)]).toEqual([[401], [200]]);
  });

  it('works until the exact moment of its expiry', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { expiresAt: '2026-11-21T00:00:00.000Z' });

    setNow(service.scenario, '2026-11-20T23:59:59.999Z');
    const atTheEnd = await sendTimes(caller, 1);
    setNow(service.scenario, '2026-11-21T00:00:00.000Z');
    const after = await sendTimes(caller, 1);

    expect([atTheEnd, after]).toEqual([[200], [401]]);
  });
});

describe('a key that is being rotated (contract C25)', () => {
  /** A key that was used, and its new secret; the old one ends an hour later. */
  async function startRotated() {
    const service = await startService({ lived: [friday] });
    const old = await addCaller(service, { rateLimit: 'none' });
    await sendTimes(old, 1);
    const overlapEndsAt = '2026-11-20T17:00:00.000Z';
    const rotated = await rotateKey(service.core.db, old.id, { overlapEndsAt, at });
    return { service, old, renewed: callerWith(service, { ...old, ...rotated }) };
  }

  it('works with both secrets until the old one ends, then with the new one', async () => {
    const { service, old, renewed } = await startRotated();

    setNow(service.scenario, '2026-11-20T16:59:59.999Z');
    const before = [await sendTimes(old, 1), await sendTimes(renewed, 1)];
    setNow(service.scenario, '2026-11-20T17:00:00.000Z');

    expect(before).toEqual([[200], [200]]);
    await expect.poll(async () => sendTimes(old, 1), seenWithin).toEqual([401]);
    expect(await sendTimes(renewed, 1)).toEqual([200]);
  });

  it('stops working with both secrets when it is revoked', async () => {
    const { service, old, renewed } = await startRotated();
    const before = [await sendTimes(old, 1), await sendTimes(renewed, 1)];

    await revokeKey(service.core.db, old.id, { at });

    expect(before).toEqual([[200], [200]]);
    await expect.poll(async () => sendTimes(old, 1), seenWithin).toEqual([401]);
    expect(await sendTimes(renewed, 1)).toEqual([401]);
  });
});
