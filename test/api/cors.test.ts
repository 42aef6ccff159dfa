import { describe, expect, it } from 'vitest';
import { shareService } from '../support/start-service.ts';
import { addCaller } from './support/caller.ts';

const preflight = {
  origin: 'https://shop.example',
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization',
};

describe('a page of a configured origin (CORS_ORIGINS, contract C4)', () => {
  const service = shareService({
    config: { corsOrigins: ['https://shop.example', 'https://other.example'] },
    lived: ['2026-11-20T16:00:00Z'],
  });

  it.each(['/rates', '/fx/2026-11-21', '/usage', '/nowhere', '/webhooks/sub_0'])(
    'may send a preflight for %s without a key',
    async (path) => {
      const answer = await service().sendRequest({ method: 'OPTIONS', path, headers: preflight });

      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(answer.headers['x-request-id']).toMatch(/./);
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'access-control-allow-origin': 'https://shop.example',
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers':
          'authorization, content-type, idempotency-key, if-none-match',
        'access-control-max-age': '86400',
      });
    },
  );

  it.each([
    ['/rates', 200, 'Origin'],
    ['/nowhere', 404, 'Origin'],
    ['/openapi.json', 200, 'Origin, Accept-Encoding'],
  ])('may read %s, its errors and its headers', async (path, status, vary) => {
    const answer = await service().get(path, { origin: 'https://other.example' });

    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://other.example',
      'access-control-expose-headers':
        'content-disposition, etag, link, location, ratelimit, ratelimit-policy, retry-after, vatfx-hint, www-authenticate, x-request-id',
      vary,
    });
  });

  it('may read the answer to a POST, and the error of a wrong key', async () => {
    const headers = { origin: 'https://shop.example' };
    const caller = await addCaller(service());
    const body = '{"url":"https://198.100.0.1/"}';

    const created = await caller.sendRequest({ method: 'POST', path: '/webhooks', headers, body });
    const refused = await service().sendRequest({ path: '/rates', headers });

    expect([created.status, refused.status]).toEqual([201, 401]);
    for (const answer of [created, refused]) {
      expect(answer.headers['access-control-allow-origin']).toBe('https://shop.example');
    }
  });

  it('gets the same bytes and ETag as other callers (contract C9)', async () => {
    const plain = await service().get('/rates');
    const page = await service().get('/rates', { origin: 'https://shop.example' });

    expect([page.text, page.headers['etag']]).toEqual([plain.text, plain.headers['etag']]);
  });
});

describe('a page of any other origin (contract C4)', () => {
  const service = shareService({
    config: { corsOrigins: ['https://shop.example'] },
    lived: ['2026-11-20T16:00:00Z'],
  });

  it.each([
    'https://evil.example',
    'http://shop.example',
    'https://shop.example:8443',
    'https://shop.example.evil.example',
    'null',
  ])('gets no header of CORS: %s', async (origin) => {
    const asked = await service().sendRequest({
      method: 'OPTIONS',
      path: '/rates',
      headers: { ...preflight, origin },
    });
    const read = await service().get('/rates', { origin });

    expect(asked.headers).not.toHaveProperty('access-control-allow-origin');
    expect(read.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('every page, with CORS_ORIGINS=*', () => {
  const service = shareService({ config: { corsOrigins: ['*'] }, lived: ['2026-11-20T16:00:00Z'] });

  it('may read answers from any origin', async () => {
    const { headers } = await service().get('/rates', { origin: 'https://any.example' });

    expect(headers['access-control-allow-origin']).toBe('*');
  });
});

describe('without CORS_ORIGINS (contract C4)', () => {
  const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });

  it('treats a preflight like a request without a key', async () => {
    const answer = await service().sendRequest({
      method: 'OPTIONS',
      path: '/rates',
      headers: preflight,
    });

    expect([answer.status, answer.text]).toEqual([401, '{"error":"INVALID_KEY"}']);
  });

  it('sends no header of CORS', async () => {
    const { headers } = await service().get('/rates', { origin: 'https://shop.example' });

    expect(Object.keys(headers).filter((name) => /^access-control-|^vary$/.test(name))).toEqual([]);
  });
});
