import { readFileSync } from 'node:fs';
import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/send-request.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { shareService } from '../support/start-service.ts';
import { Document } from './support/document.ts';

const service = shareService();
const sendRequest = async (path: string, method = 'GET'): Promise<Answer> =>
  service().sendRequest({ method, path });
const document = new Document();

describe.each(['/openapi.json', '/docs'])('GET %s (contract C1)', (path) => {
  it('answers without a key, and with a wrong one', async () => {
    const bare = await sendRequest(path);
    const refused = await service().get(path, { authorization: 'Bearer wrong' });

    expect([bare.status, refused.status, refused.text]).toEqual([200, 200, bare.text]);
  });

  it('may be cached for five minutes, and is a 304 for a caller with its ETag', async () => {
    const { headers } = await sendRequest(path);
    const again = await service().sendRequest({
      path,
      headers: { 'if-none-match': String(headers['etag']) },
    });

    expect(headers['cache-control']).toBe('public, max-age=300, stale-while-revalidate=86400');
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', headers['etag']]);
  });

  it('is compressed for a caller that accepts it, each coding with an ETag of its own', async () => {
    const { headers, text } = await sendRequest(path);
    const coded = async (coding: string, etag = ''): Promise<Response> =>
      fetch(service().apiUrl + path, {
        headers: { 'accept-encoding': coding, 'if-none-match': etag },
      });
    const [br, zipped] = [await coded('gzip, br'), await coded('gzip')];
    const etags = [headers['etag'], br.headers.get('etag'), zipped.headers.get('etag')];

    // Fetch decodes.
    expect([await br.text(), await zipped.text()]).toEqual([text, text]);
    expect([br, zipped].map((one) => one.headers.get('content-encoding'))).toEqual(['br', 'gzip']);
    expect([headers['vary'], br.headers.get('vary')]).toEqual([
      'Accept-Encoding',
      'Accept-Encoding',
    ]);
    expect(headers['content-encoding']).toBeUndefined();
    expect(new Set(etags).size).toBe(3);
    expect((await coded('gzip', String(etags[2]))).status).toBe(304);
    expect((await coded('gzip', String(etags[1]))).status).toBe(200);
  });

  it('answers HEAD like GET without the body', async () => {
    const { headers } = await sendRequest(path);
    const head = await sendRequest(path, 'HEAD');

    expect([head.status, head.text, head.headers['etag']]).toEqual([200, '', headers['etag']]);
  });

  it.each(['POST', 'PUT', 'DELETE'])('answers %s with 405, without a key', async (method) => {
    const answer = await sendRequest(path, method);

    expect(formOf(answer)).toEqual(errorForm(405, 'method not allowed'));
    expect(answer.headers['allow']).toBe('GET, HEAD');
  });
});

describe('GET /openapi.json', () => {
  it('is the committed document', async () => {
    const { headers, text } = await sendRequest('/openapi.json');

    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync('openapi.json', 'utf8')));
  });
});

const articleOf = (page: string, id: string): string =>
  page.split('<article id="').find((article) => article.startsWith(`${id}"`)) ?? '';

describe('GET /docs', () => {
  const page = async (): Promise<string> => (await sendRequest('/docs')).text;

  it('is an HTML page', async () => {
    const { headers, text } = await sendRequest('/docs');

    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toMatch(/^<!doctype html>/);
  });

  it('has every operation and event, each with its fields, errors and examples', async () => {
    const text = await page();

    const paths = new Set(document.operations.map(({ path }) => `${path}.csv`));
    const all = [...document.operations, ...document.events];
    for (const { id, method, path, part } of all.filter((one) => !paths.has(one.path))) {
      expect(text).toContain(`<article id="${id}"><h3>${String(part['summary'])}</h3>`);
      const link = new RegExp(
        `<a href="#${id}"><code>(.*?)</code> <span class="dim">(.*?)</span></a>`,
      );
      const [, target = '', summary] = link.exec(text) ?? [];
      expect(`${method} ${path}`).toContain(target.replaceAll(/<[^>]*>/g, ''));
      expect(summary).toBe(part['summary']);
    }
    for (const { id } of all.filter(({ path }) => paths.has(path))) {
      expect(articleOf(text, id.replace(/Csv$/, ''))).toContain(`<h4 id="${id}">As CSV</h4>`);
      expect(text).not.toContain(`<a href="#${id}">`);
    }
    expect(text).toContain('<code>rates.*.super_reduced</code>');
    expect(text).toContain('<code>deliveries[].attempts[].statusCode</code>');
    expect(text).toContain("<code>invalid 'since' — expected YYYY-MM-DD</code>");
    expect(text).toContain('Erfundene Backwaren GmbH');
  });

  it('has a link to the console, and the first call in front of the errors and of all calls', async () => {
    const text = await page();
    const places = [
      '<a href="./">',
      '<section id="first-call">',
      '<section id="errors">',
      '<article',
    ];

    const found = places.map((part) => text.indexOf(part));

    expect(found).not.toContain(-1);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
  });

  it('has at most 580 KB, and 64 KB if it is compressed', async () => {
    const bytes = Buffer.from(await page());

    expect(bytes.length).toBeLessThan(580_000);
    expect(gzipSync(bytes).length).toBeLessThan(64_000);
  });

  it('lists the fields of a schema once, to which other calls link', async () => {
    const text = await page();

    expect(articleOf(text, 'getCheck')).not.toContain('<code>checkedAt</code>');
    expect(articleOf(text, 'getCheck')).toContain(
      'every field<dd>as in <code>checks[]</code> of <a href="#listChecks">Your checks</a>',
    );
    for (const [, id = ''] of text.matchAll(/<dd>as in [^]*?<a href="#(\w+)">/g)) {
      expect(articleOf(text, id)).not.toBe('');
    }
  });

  it('loads no other file', async () => {
    const text = await page();

    expect(
      [...text.matchAll(/\s(?:src|href|action|srcset)="([^"]*)"/g)].map(([, url]) => url),
    ).toEqual(expect.not.arrayContaining([expect.stringMatching(/^(?!#|\.\/$|openapi\.json$)/)]));
    expect(text).not.toMatch(/@import|url\(|<link|<img|<iframe/);
  });

  it('allows only its own script and its own style', async () => {
    const { headers, text } = await sendRequest('/docs');
    const inside = (tag: string): string[] =>
      [...text.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(
        ([, code = '']) => `'sha256-${hash('sha256', code, 'base64')}'`,
      );

    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src ${inside('style').join(' ')}; script-src ${inside('script').join(' ')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(text).not.toMatch(/ style="| on\w+="|javascript:/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
  });
});

describe('a path that is similar to /docs or /openapi.json', () => {
  it.each(['/docs/', '/docs/x', '/openapi', '/openapi.json/', '/Docs'])(
    'needs a key: %s',
    async (path) => {
      expect((await sendRequest(path)).status).toBe(401);
      expect((await service().get(path)).status).toBe(404);
    },
  );
});
