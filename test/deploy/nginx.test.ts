import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startBeside } from '../journeys/support/start-beside.ts';
import {
  createKey,
  get,
  type ServeProcess,
  startServe,
} from '../journeys/support/serve-process.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { serveHttp, serveSocket, unusedAddress } from '../support/loopback-server.ts';
import { findNginx } from '../support/programs.ts';
import { startService } from '../support/start-service.ts';
import { checkConf, startNginx } from './support/start-nginx.ts';
import { setMemberState } from '../support/sandbox/scripts.ts';

const friday = '2026-11-20T16:00:00Z';

describe.skipIf(findNginx() === undefined)(
  'nginx in front of two replicas (deploy/nginx.conf)',
  () => {
    it('is accepted by nginx -t', () => {
      expect(() => checkConf()).not.toThrow();
    });

    it('sends requests to both replicas, and passes on their answers', async () => {
      const one = await startService({ lived: [friday] });
      const other = await startBeside(one);
      const nginx = await startNginx([one.apiUrl, other.apiUrl]);

      const answers = await repeatRequest(20, async () => get(`${nginx.url}/rates`, one.key));

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(answers[0]?.text).toBe((await one.get('/rates')).text);
      await expect
        .poll(() => new Set(nginx.log().map(({ replica }) => `http://${replica}`)))
        .toEqual(new Set([one.apiUrl, other.apiUrl]));
    });

    it.each<[how: string, signal: NodeJS.Signals]>([
      ['killed', 'SIGKILL'],
      ['stopped', 'SIGTERM'],
    ])('loses no GET if a replica is %s', async (_how, signal) => {
      const { servers, key } = await startReplicas();
      const [one, other] = servers;
      const nginx = await startNginx([one.apiUrl, other.apiUrl], {
        requestsPerSecond: 1_000_000,
      });
      const answers: number[] = [];
      const done = new AbortController();
      const sendOn = async (): Promise<void> => {
        while (!done.signal.aborted) answers.push((await get(`${nginx.url}/rates`, key)).status);
      };
      const callers = Array.from({ length: 8 }, sendOn);
      await eventually(() => answers.length > 100);

      one.process.signal(signal);
      await one.process.ended();
      const before = answers.length;
      await eventually(() => answers.length > before + 200);
      done.abort();
      await Promise.all(callers);

      expect(new Set(answers)).toEqual(new Set([200]));
    });

    it.each<[method: string, sent: number]>([
      ['GET', 2],
      ['HEAD', 2],
      ['POST', 1],
      ['PATCH', 1],
    ])('sends a %s %i times in all if its replica dies', async (method, sent) => {
      const heads: string[] = [];
      const dying = async (): Promise<string> =>
        serveSocket((socket) => {
          socket.once('data', (bytes) => {
            heads.push(String(bytes).split(' ')[0] ?? '');
            socket.destroy();
          });
        });
      const nginx = await startNginx([await dying(), await dying()]);

      const answer = await fetch(`${nginx.url}/webhooks`, { method });

      expect(heads).toEqual(Array.from({ length: sent }, () => method));
      expect(answer.status).toBe(503);
    });

    it('sends a POST to the other replica if one refuses connections', async () => {
      const bodies: string[] = [];
      const there = await serveHttp((request, response) => {
        request.on('data', (chunk) => bodies.push(String(chunk)));
        request.on('end', () => response.writeHead(201).end('{}'));
      });
      const nginx = await startNginx([await unusedAddress(), there]);

      const statuses = await repeatRequest(2, async () => {
        const { status } = await fetch(`${nginx.url}/webhooks`, {
          method: 'POST',
          body: '{"a":1}',
        });
        return status;
      });

      expect(statuses).toEqual([201, 201]);
      expect(bodies).toEqual(['{"a":1}', '{"a":1}']);
    });

    it('passes on the 503 of one replica without a request to the other', async () => {
      const one = await startService({
        script: (scenario) => setMemberState(scenario, 'DE', 'down'),
      });
      const other = await startBeside(one);
      const nginx = await startNginx([one.apiUrl, other.apiUrl]);

      const answer = await get(`${nginx.url}/vatcheck/DE/129273398`, one.key);

      expect(answer).toEqual({ status: 503, text: '{"error":"MS_UNAVAILABLE"}' });
      await expect
        .poll(() => nginx.log().map(({ replica }) => replica.split(',').length))
        .toEqual([1]);
    });

    it('answers 503 in the form of vatfx if no replica runs', async () => {
      const nginx = await startNginx([await unusedAddress(), await unusedAddress()]);

      const answer = await fetch(`${nginx.url}/rates`);

      expect(answer.status).toBe(503);
      expect(await answer.text()).toBe('{"error":"temporarily unavailable"}');
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'retry-after': '1',
      });
      await expect
        .poll(() => nginx.log().map(({ requestId }) => requestId))
        .toEqual([answer.headers.get('x-request-id')]);
    });

    it('answers 429 in the form of vatfx to an address that sends too many requests', async () => {
      const replica = await serveHttp((_request, response) => response.end('{}'));
      const nginx = await startNginx([replica, replica], { requestsPerSecond: 1 });

      const statuses = (await repeatRequest(3, async () => statusesOf(nginx.url, 700))).flat();
      const refused = await fetch(`${nginx.url}/rates`);

      expect(statuses).toHaveLength(2_100);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(2_000);
      expect(statuses.at(-1)).toBe(429);
      expect({ status: refused.status, text: await refused.text() }).toEqual({
        status: 429,
        text: '{"error":"RATE_LIMITED"}',
      });
      expect(Object.fromEntries(refused.headers)).toMatchObject({
        'cache-control': 'no-store',
        'retry-after': '1',
      });
    });

    it('answers 429 to the 257th concurrent request of one address', async () => {
      const waiting: ServerResponse[] = [];
      const slow = await serveHttp((_request, response) => void waiting.push(response));
      const nginx = await startNginx([slow, slow]);
      const under = Array.from({ length: 256 }, async () => fetch(`${nginx.url}/rates`));
      await eventually(() => waiting.length === 256);

      const refused = await fetch(`${nginx.url}/rates`);
      for (const response of waiting) response.end('{}');

      expect(refused.status).toBe(429);
      expect(new Set((await Promise.all(under)).map(({ status }) => status))).toEqual(
        new Set([200]),
      );
    });
  },
);

describe.skipIf(findNginx() === undefined)('deploy/nginx.conf in front of vatfx', () => {
  it('uses the request id of vatfx in the answer and in both logs', async () => {
    const service = await startService({ lived: [friday] });
    const nginx = await startNginx([service.apiUrl, service.apiUrl]);

    const answer = await fetch(`${nginx.url}/rates`, {
      headers: { authorization: `Bearer ${service.key}`, 'x-request-id': 'mine' },
    });

    const id = answer.headers.get('x-request-id');
    await expect.poll(() => nginx.log().map(({ requestId }) => requestId)).toEqual([id]);
    await expect.poll(() => service.logLines.join('')).toContain(`"requestId":"${id}"`);
  });

  it('passes on the real address of a caller that sends X-Forwarded-For', async () => {
    const config = { failedAuthPerMinute: 1, trustedProxies: ['127.0.0.1'] };
    const service = await startService({ config });
    const nginx = await startNginx([service.apiUrl, service.apiUrl]);

    const statuses: number[] = [];
    for (const claimed of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
      const headers = { 'x-forwarded-for': claimed };
      statuses.push((await fetch(`${nginx.url}/rates`, { headers })).status);
    }

    expect(statuses).toEqual([401, 429, 429]);
  });

  it('sends X-Forwarded-For and the Host of the request to vatfx', async () => {
    const heads: unknown[] = [];
    const upstream = await serveHttp(({ headers }, response) => {
      heads.push({ for: headers['x-forwarded-for'], host: headers.host });
      response.end('{}');
    });
    const nginx = await startNginx([upstream, upstream]);

    await fetch(nginx.url, { headers: { 'x-forwarded-for': '203.0.113.1' } });

    expect(heads).toEqual([{ for: '127.0.0.1', host: '127.0.0.1' }]);
  });

  it('uses the last address of X-Forwarded-For from the gateway of the containers', async () => {
    const upstream = await serveHttp(({ headers }, response) =>
      response.end(headers['x-forwarded-for']),
    );
    // A name, as in the file.
    const gateway = 'localhost';
    const nginx = await startNginx([upstream, upstream], { gateway });

    const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' };
    const answer = await fetch(nginx.url, { headers });

    expect(await answer.text()).toBe('203.0.113.7');
    await expect.poll(() => nginx.log().map(({ address }) => address)).toEqual(['203.0.113.7']);
  });

  it('logs no key and no VAT number, also if replicas fail', async () => {
    const { apiUrl, key } = await startService();
    const dying = await serveSocket((socket) => socket.once('data', () => socket.destroy()));
    const well = await startNginx([apiUrl, apiUrl]);
    const ill = await startNginx([dying, await unusedAddress()]);

    for (const { url } of [well, ill]) {
      await get(`${url}/vatcheck/DE/129273398`, key);
      await get(`${url}/rates?key=${key}`, `${key}x`);
    }

    await expect.poll(() => [well.log().length, ill.log().length]).toEqual([2, 2]);
    const written = well.written() + ill.written();
    expect(written).toContain('"route":"vatcheck"');
    expect(written).not.toContain('129273398');
    expect(written).not.toContain(key.slice(4, 40));
  });
});

/** The statuses of many requests, sent over one connection without waiting for the answers. */
async function statusesOf(url: string, count: number): Promise<number[]> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answers = '';
  socket.setEncoding('latin1').on('data', (text: string) => (answers += text));
  const request = 'GET /rates HTTP/1.1\r\nHost: a\r\n';
  socket.write(`${request}\r\n`.repeat(count - 1) + `${request}Connection: close\r\n\r\n`);
  await once(socket, 'close');
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Two processes on one database with published rates, and a key without limits. */
async function startReplicas(): Promise<{
  readonly servers: readonly [ServeProcess, ServeProcess];
  readonly key: string;
}> {
  const { env } = await startUpstreams();
  const settings = { ...env, RATE_LIMIT_PER_MINUTE: 'none', QUOTA_PER_MONTH: 'none' };
  const key = await createKey(env);
  const servers = [await startServe(settings), await startServe(settings)] as const;
  for (const { apiUrl } of servers) {
    await eventually(async () => (await get(`${apiUrl}/rates`, key)).status === 200);
  }
  return { servers, key };
}

async function repeatRequest<T>(times: number, send: () => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  while (answers.length < times) answers.push(await send());
  return answers;
}
