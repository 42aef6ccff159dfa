import { describe, expect, it } from 'vitest';
import { readBuiltFiles } from '../../src/console/built-files.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { shareService } from '../support/start-service.ts';

const service = shareService();
const files = readBuiltFiles();
const script = [...files.keys()].find((name) => /^console\/assets\/index-.*\.js$/.test(name)) ?? '';

/** The answer as bytes, because a compressed answer is not text. */
async function fetchBytes(path: string, coding: string): Promise<[Response, Buffer]> {
  const response = await fetch(service().apiUrl + path, { headers: { 'accept-encoding': coding } });
  return [response, Buffer.from(await response.arrayBuffer())];
}

describe('GET / (contract C1)', () => {
  it('answers the page without a key', async () => {
    const { status, headers, text } = await service().sendRequest({ path: '/' });

    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('<title>vatfx</title>');
  });

  it('allows the page only its own files and requests to the service', async () => {
    const { headers } = await service().sendRequest({ path: '/' });

    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
  });

  it('is revalidated each time, with a 304 while it is unchanged', async () => {
    const first = await service().sendRequest({ path: '/' });
    const headers = { 'if-none-match': String(first.headers.etag) };
    const again = await service().sendRequest({ path: '/', headers });
    const another = await service().sendRequest({
      path: '/',
      headers: { 'if-none-match': '"another"' },
    });

    expect(first.headers['cache-control']).toBe('no-cache');
    expect([again.status, again.text]).toEqual([304, '']);
    expect(another.status).toBe(200);
  });
});

describe('GET /console/* (contract C1)', () => {
  it('makes files with a hash in their name immutable', async () => {
    const { status, headers } = await service().sendRequest({ path: `/${script}` });

    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['BR', 'br'],
    ['identity', null],
    ['deflate', null],
  ])('answers Accept-Encoding %s with Content-Encoding %s', async (accepted, sent) => {
    const [response] = await fetchBytes(`/${script}`, accepted);
    const { headers } = await service().sendRequest({
      path: `/${script}`,
      headers: { 'accept-encoding': accepted },
    });

    expect(response.headers.get('content-encoding')).toBe(sent);
    expect(headers.vary).toBe('Accept-Encoding');
  });

  it.each([
    ['a file that does not exist', '/console/assets/none.js'],
    ['the folder', '/console/'],
    ['the page under a second address', '/console/index.html'],
    ['a compressed file', `/${script}.br`],
    ['a path out of the folder', '/console/../../package.json'],
    ['an escaped path out of the folder', '/console/%2e%2e%2f%2e%2e%2fpackage.json'],
  ])('answers 404 in the form of all errors for %s', async (_, path) => {
    const answer = await service().sendRequest({ path });

    // The path that remains without `..` needs a key.
    const [status, error] = answer.status === 401 ? [401, 'INVALID_KEY'] : [404, 'not found'];
    expect(formOf(answer)).toEqual(errorForm(status as 401 | 404, error));
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});

describe('GET /favicon.ico', () => {
  it('answers the icon without a key, so that a page without an icon causes no failed authentication', async () => {
    const { status, headers, text } = await service().sendRequest({ path: '/favicon.ico' });

    expect(status).toBe(200);
    expect(headers['content-type']).toBe('image/svg+xml');
    expect(headers['cache-control']).toBe('public, max-age=86400');
    expect(text).toContain('<svg');
  });
});

describe('the first view of the console', () => {
  it('has less than 150 KB compressed', () => {
    const sizes = [...files]
      .filter(([name]) => name === 'index.html' || /^console\/assets\/(?:index|icon)-/.test(name))
      .map(([name, { gzip, br }]) => [name, gzip.body.length, br.body.length] as const);
    const total = sizes.reduce((sum, [, gzip]) => sum + gzip, 0);
    const all = [...files.values()].reduce((sum, { gzip }) => sum + gzip.body.length, 0);

    for (const [name, gzip, br] of sizes) console.log(`${name}: ${gzip} bytes gzip, ${br} br`);
    console.log(`first view ${total} bytes gzip, everything ${all}`);
    expect(sizes.length).toBe(4);
    expect(total).toBeLessThan(150 * 1024);
  });
});
