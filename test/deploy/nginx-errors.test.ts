import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { findNginx } from '../support/programs.ts';
import { startService } from '../support/start-service.ts';
import { startNginx } from './support/start-nginx.ts';

const host = 'Host: vat.example\r\n';

/** Requests that nginx refuses before it chooses a replica. */
const refused: readonly [name: string, request: string, status: number, error: string][] = [
  [
    'a header of 40 KB',
    `GET /rates HTTP/1.1\r\n${host}X-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
    431,
    'header fields too large',
  ],
  [
    'headers of 150 KB in all',
    `GET /rates HTTP/1.1\r\n${host}${`X-Long: ${'x'.repeat(30_000)}\r\n`.repeat(5)}\r\n`,
    431,
    'header fields too large',
  ],
  ['a path of 41 KB', `GET /${'x'.repeat(41_000)} HTTP/1.1\r\n${host}\r\n`, 414, 'URL too long'],
  ['TRACE', `TRACE /rates HTTP/1.1\r\n${host}\r\n`, 405, 'method not allowed'],
  [
    'a malformed Content-Length',
    `POST /webhooks HTTP/1.1\r\n${host}Content-Length: ten\r\n\r\n`,
    400,
    'bad request',
  ],
  [
    'an unknown Transfer-Encoding',
    `POST /webhooks HTTP/1.1\r\n${host}Transfer-Encoding: gzip\r\n\r\n`,
    400,
    'bad request',
  ],
  [
    'a malformed chunk',
    `POST /webhooks HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    400,
    'bad request',
  ],
  ['HTTP/9.9', `GET /rates HTTP/9.9\r\n${host}\r\n`, 400, 'bad request'],
  ['a request without Host', 'GET /rates HTTP/1.1\r\n\r\n', 400, 'bad request'],
  ['a malformed escape in the path', `GET /%zz HTTP/1.1\r\n${host}\r\n`, 400, 'bad request'],
  ['bytes that are no request', '\u0016\u0003\u0001\r\n\r\n', 400, 'bad request'],
  ['the internal path of errors', `GET /_error HTTP/1.1\r\n${host}\r\n`, 404, 'not found'],
];

const confs = ['nginx.conf', 'nginx-shared-cache.conf'] as const;

describe.skipIf(findNginx() === undefined).each(confs)(
  'errors of nginx itself (deploy/%s)',
  (conf) => {
    it.each(refused)('are JSON for %s', async (_name, request, status, error) => {
      const replica = await serveHttp((_request, response) => response.end('{}'));
      const nginx = await startNginx(conf, [replica, replica]);

      const answer = await exchange(nginx.url, request);

      expect({ status: answer.status, body: answer.body }).toEqual({
        status,
        body: JSON.stringify({ error }),
      });
      expect(answer.head).toContain('content-type: application/json\r\n');
      expect(answer.head).toContain('cache-control: no-store\r\n');
      expect(answer.head).toMatch(/x-request-id: [0-9a-f]{32}\r\n/);
      expect(answer.head).not.toContain('retry-after');
    });

    it('are JSON for a body of 200 KB, as those of vatfx for one of 70 KB', async () => {
      const { apiUrl, key } = await startService();
      const nginx = await startNginx(conf, [apiUrl, apiUrl]);
      const send = async (bytes: number): Promise<unknown> => {
        const answer = await fetch(`${nginx.url}/webhooks`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}` },
          body: 'x'.repeat(bytes),
        });
        return { status: answer.status, body: await answer.text() };
      };

      const tooLarge = { status: 413, body: '{"error":"body too large"}' };
      expect(await send(200_000)).toEqual(tooLarge);
      expect(await send(70_000)).toEqual(tooLarge);
    });
  },
);

describe.skipIf(findNginx() === undefined).each(confs)(
  'a batch of VAT checks (deploy/%s)',
  (conf) => {
    it('of 1 MB reaches vatfx, and one that is too large gets the 413 in JSON', async () => {
      const { apiUrl, key } = await startService();
      const nginx = await startNginx(conf, [apiUrl, apiUrl]);
      const send = async (bytes: number): Promise<unknown> => {
        const answer = await fetch(`${nginx.url}/vatchecks/batch`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}` },
          body: `{"checks":[]}${' '.repeat(bytes)}`,
        });
        return { status: answer.status, body: await answer.text() };
      };

      expect(await send(1_000_000)).toEqual({
        status: 400,
        body: `{"error":"invalid 'checks' — expected 1 to 1000 checks"}`,
      });
      expect(await send(1_100_000)).toEqual({ status: 413, body: '{"error":"body too large"}' });
    });
  },
);

describe.skipIf(findNginx() === undefined).each(confs)(
  'a replica that hangs (deploy/%s)',
  (conf) => {
    // Replicas that never answer look-ups, and a VAT check only when all look-ups have ended: no clock is needed.
    it('ends look-ups while a VAT check still waits for its replica', async () => {
      const checks: ServerResponse[] = [];
      const hanging = await serveHttp((request, response) => {
        if (request.url?.startsWith('/vatcheck/') === true) checks.push(response);
      });
      const nginx = await startNginx(conf, [hanging, hanging]);
      const send = async (path: string): Promise<number> =>
        (await fetch(`${nginx.url}${path}`)).status;

      const check = send('/vatcheck/DE/129273398');
      await eventually(() => checks.length === 1);
      const lookUps = await Promise.all(
        ['/rates', '/fx/2026-11-20', '/changes', '/fx.csv', '/usage'].map(send),
      );
      for (const response of checks) response.end('{}');

      expect(new Set(lookUps)).toEqual(new Set([503]));
      expect(checks).toHaveLength(1);
      expect(await check).toBe(200);
    });
  },
);

/** Sends bytes over a connection of their own, and reads until nginx closes it. Header names are lower case. */
async function exchange(
  url: string,
  request: string,
): Promise<{ readonly status: number; readonly head: string; readonly body: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  // nginx may close before it has read everything.
  socket.on('error', () => {});
  socket.write(request.replace(host, `${host}Connection: close\r\n`));
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  return {
    status,
    head: `${head}\r\n`.replaceAll(/^[^:\r\n]+:/gm, (name) => name.toLowerCase()),
    body,
  };
}
