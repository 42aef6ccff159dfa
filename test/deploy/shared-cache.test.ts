import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { revokeKey } from '../../src/access/authentication/key-changes.ts';
import { startBeside } from '../journeys/support/start-beside.ts';
import { get } from '../journeys/support/serve-process.ts';
import { serveHttp, unusedAddress } from '../support/loopback-server.ts';
import { findNginx } from '../support/programs.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { addCaller, type Usage } from '../api/support/caller.ts';
import { checkConf, type RunningNginx, startNginx } from './support/start-nginx.ts';

const conf = 'nginx-shared-cache.conf';
const friday = '2026-11-20T16:00:00Z';

describe.skipIf(findNginx() === undefined)(
  'a shared cache (deploy/nginx-shared-cache.conf)',
  () => {
    it('is accepted by nginx -t', () => {
      expect(() => checkConf(conf)).not.toThrow();
    });

    it.each([
      '/rates',
      '/fx',
      '/rates/2026-11-20',
      '/fx/2026-11-20',
      '/rates.csv',
      '/fx.csv',
      '/rates/2026-11-20.csv',
      '/fx/2026-11-20.csv',
      '/rates/dates.csv',
    ])('answers %s a second time without a request to a replica', async (path) => {
      const { one, services, nginx } = await startBoth();

      const first = await fetchWith(nginx, path, one.key);
      const second = await fetchWith(nginx, path, one.key);

      expect(await second.text()).toBe(await first.text());
      for (const name of ['etag', 'cache-control', 'content-type', 'content-disposition']) {
        expect(second.headers.get(name)).toBe(first.headers.get(name));
      }
      await expect.poll(() => nginx.log().map(({ cache }) => cache)).toEqual(['MISS', 'HIT']);
      expect(countRequests(services, path)).toBe(1);
    });

    it('gives each answer its own request id', async () => {
      const { one, nginx } = await startBoth();

      const ids = [
        (await fetchWith(nginx, '/rates', one.key)).headers.get('x-request-id'),
        (await fetchWith(nginx, '/rates', one.key)).headers.get('x-request-id'),
      ];

      expect(new Set(ids).size).toBe(2);
      await expect.poll(() => nginx.log().map(({ requestId }) => requestId)).toEqual(ids);
    });

    it('answers 304 from the cache', async () => {
      const { one, services, nginx } = await startBoth();
      const etag = (await fetchWith(nginx, '/rates', one.key)).headers.get('etag') ?? '';

      const again = await fetchWith(nginx, '/rates', one.key, { 'if-none-match': etag });

      expect(again.status).toBe(304);
      expect(countRequests(services, '/rates')).toBe(1);
    });

    it('answers If-Match with another ETag by a 412 in JSON', async () => {
      const { one, nginx } = await startBoth();
      await fetchWith(nginx, '/rates', one.key);

      const answer = await fetchWith(nginx, '/rates', one.key, { 'if-match': '"another"' });

      expect(answer.status).toBe(412);
      expect(await answer.text()).toBe('{"error":"precondition failed"}');
    });

    it('refuses a wrong key for a cached answer with the 401 of vatfx', async () => {
      const { one, nginx } = await startBoth();
      await fetchWith(nginx, '/rates', one.key);

      const answers = [
        await fetchWith(nginx, '/rates', `${one.key.slice(0, -1)}~`),
        await fetchWith(nginx, '/rates', ''),
      ];

      for (const answer of answers) {
        expect(answer.status).toBe(401);
        expect(await answer.text()).toBe('{"error":"INVALID_KEY"}');
        expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="vatfx"');
        expect(answer.headers.get('cache-control')).toBe('no-store');
      }
    });

    it('passes on the 429 for an address with too many wrong keys', async () => {
      const config = { failedAuthPerMinute: 1, trustedProxies: ['127.0.0.1'] };
      const service = await startService({ config });
      const nginx = await startNginx(conf, [service.apiUrl, service.apiUrl]);

      const answer = await fetchWith(nginx, '/rates', 'vfx_unknown');

      expect(answer.status).toBe(429);
      expect(await answer.text()).toBe('{"error":"RATE_LIMITED"}');
    });

    it('does not remember that a key was refused', async () => {
      const { one, services, nginx } = await startBoth();

      await fetchWith(nginx, '/rates', `${one.key}x`);
      await fetchWith(nginx, '/rates', `${one.key}x`);

      await expect.poll(() => countRequests(services, '/usage')).toBe(2);
    });

    it('uses one cached answer for all keys', async () => {
      const { one, services, nginx } = await startBoth();
      const other = await addCaller(one);
      await fetchWith(nginx, '/rates', one.key);

      const answer = await fetchWith(nginx, '/rates', other.key);

      expect(answer.status).toBe(200);
      expect(countRequests(services, '/rates')).toBe(1);
    });

    it('refuses a revoked key within seconds', async () => {
      const { one, nginx } = await startBoth();
      const { id, key } = await addCaller(one);
      expect((await fetchWith(nginx, '/rates', key)).status).toBe(200);

      await revokeKey(one.core.db, id, { at: friday });

      await expect
        .poll(async () => (await fetchWith(nginx, '/rates', key)).status, { interval: 200 })
        .toBe(401);
    });

    it('lets only those requests be charged that reach a replica', async () => {
      const { one, nginx } = await startBoth({ hasOneReplica: true });
      const { key } = await addCaller(one);

      for (let times = 0; times < 5; times += 1) await fetchWith(nginx, '/rates', key);

      const usage = JSON.parse((await get(`${one.apiUrl}/usage`, key)).text) as Usage;
      expect(usage.quota.used).toBe(1);
    });

    it.each([
      '/changes',
      '/changes/2026-11-20',
      '/vatcheck/AT/U99999901',
      '/usage',
      '/rates/2026-11-29',
      '/changes.csv',
      '/changes/2026-11-20.csv',
      '/rates/2026-11-29.csv',
    ])('does not cache %s', async (path) => {
      const { one, services, nginx } = await startBoth();

      await fetchWith(nginx, path, one.key);
      await fetchWith(nginx, path, one.key);

      await expect.poll(() => countRequests(services, path)).toBe(2);
    });

    it.each([
      ['/vatcheck/DE/100%2F..%2F..%2F..%2Ffx', '/fx'],
      ['/vatcheck/DE/100%2F..%2F..%2F..%2Ffx%2F2026-11-20', '/fx/2026-11-20'],
    ])('requests the normalised path of %s, and caches it as %s', async (path, direct) => {
      const { one, nginx } = await startBoth();

      const answer = await fetchWith(nginx, path, one.key);
      const kept = await fetchWith(nginx, direct, one.key);

      expect(answer.headers.get('cache-control')).toMatch(/^public,/);
      expect(await answer.text()).toBe((await one.get(direct)).text);
      expect(kept.headers.get('x-request-id')).not.toBe(answer.headers.get('x-request-id'));
      expect(await kept.text()).toBe((await one.get(direct)).text);
      await expect.poll(() => nginx.log().map(({ cache }) => cache)).toEqual(['MISS', 'HIT']);
    });

    it.each(['/rates', '/rates/2026-11-20'])(
      'does not cache an answer to %s without `Cache-Control: public`',
      async (path) => {
        let requests = 0;
        const replica = await serveHttp(({ url }, response) => {
          if (url !== '/usage') requests += 1;
          response.setHeader('cache-control', 'private, max-age=300');
          response.end('{}');
        });
        const nginx = await startNginx(conf, [replica, replica]);

        await fetchWith(nginx, path, 'vfx_any');
        await fetchWith(nginx, path, 'vfx_any');

        expect(requests).toBe(2);
      },
    );

    it('answers 503 in the form of vatfx if no replica runs', async () => {
      const nginx = await startNginx(conf, [await unusedAddress(), await unusedAddress()]);

      const answer = await fetchWith(nginx, '/rates', 'vfx_unknown');

      expect(answer.status).toBe(503);
      expect(await answer.text()).toBe('{"error":"temporarily unavailable"}');
      expect(answer.headers.get('retry-after')).toBe('1');
    });

    it('stores keys only in folders that no other user can read', async () => {
      const { one, nginx } = await startBoth();

      await fetchWith(nginx, '/rates', one.key);

      const folder = join(nginx.folder, 'verdicts');
      await expect
        .poll(() => filesWith(nginx.folder, one.key).map((file) => dirname(file)))
        .toEqual([folder]);
      const modes = [folder, ...filesWith(nginx.folder, one.key)].map(
        (path) => statSync(path).mode,
      );
      expect(modes.map((mode) => mode & 0o077)).toEqual([0, 0]);
    });

    it('writes no key to its log', async () => {
      const { one, nginx } = await startBoth();

      await fetchWith(nginx, `/rates?key=${one.key}`, one.key);
      await fetchWith(nginx, '/rates', `${one.key}x`);

      await expect.poll(() => nginx.log().length).toBe(2);
      expect(nginx.written()).not.toContain(one.key.slice(4, 40));
    });
  },
);

async function startBoth(options: { readonly hasOneReplica?: true } = {}): Promise<{
  readonly one: TestService;
  readonly services: readonly TestService[];
  readonly nginx: RunningNginx;
}> {
  const one = await startService({ lived: [friday] });
  const other = options.hasOneReplica === true ? one : await startBeside(one);
  const nginx = await startNginx(conf, [one.apiUrl, other.apiUrl]);
  return { one, services: [...new Set([one, other])], nginx };
}

/** Requests a path, and waits until nginx has ended the request: it stores a response after it has sent the last byte. */
async function fetchWith(
  nginx: RunningNginx,
  path: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const ended = nginx.log().length;
  const authorization = key === '' ? {} : { authorization: `Bearer ${key}` };
  const response = await fetch(`${nginx.url}${path}`, {
    headers: { ...authorization, ...headers },
  });
  await response.clone().arrayBuffer();
  await expect.poll(() => nginx.log().length, { interval: 10 }).toBeGreaterThan(ended);
  return response;
}

/** The number of requests for the route of a path, from the logs of the services. */
function countRequests(services: readonly TestService[], path: string): number {
  const route = path
    .replace(/\d{4}-\d{2}-\d{2}(?=$|\.csv$)/, ':date')
    .replace(/^\/vatcheck\/.*/, '/vatcheck/:country/:vat');
  return services
    .flatMap(({ logLines }) => logLines.map((line) => JSON.parse(line) as Record<string, unknown>))
    .filter((line) => line['msg'] === 'request' && line['route'] === route).length;
}

/** The files below a folder that contain a text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readIfThere(file).includes(text));
}

/** The content of a file; empty if the file is gone, because nginx renames a file when it is complete. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
