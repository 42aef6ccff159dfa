import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGuard } from '../support/create-guard.ts';
import { answerParserErrors } from '../../src/platform/http/server/parser-errors.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { answeredInTurn, unreadableBodies } from '../support/raw-payloads.ts';
import {
  auth,
  good,
  head,
  host,
  rawErrorForm,
  rawFormOf,
  readAll,
} from '../support/raw-requests.ts';
import { shareService } from '../support/start-service.ts';
import { expectWithin } from '../support/proof.ts';

const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });

async function sendRaw(payload: string): Promise<RawConnection> {
  const connection = await RawConnection.open(service().apiUrl);
  connection.send(payload.replaceAll('{key}', service().key));
  return connection;
}

describe('a request that can be read (contract C2)', () => {
  it.each(answeredInTurn)('gets its answer in order, with %s', async (_what, payload, status) => {
    const connection = await sendRaw(payload + good);

    const answer = await connection.read();
    const next = await connection.read();

    expect([answer?.status, next?.status]).toEqual([status, 200]);
    expect(answer?.headers.get('x-request-id')).not.toBe(next?.headers.get('x-request-id'));
  });

  it('gets its answer in order, before and after 20 other requests in one write', async () => {
    const paths = Array.from({ length: 20 }, (_, at) => `/changes?limit=${at + 1}`);

    const connection = await sendRaw(paths.map((path) => good.replace('/rates', path)).join(''));
    const limits: unknown[] = [];
    for (const _path of paths) {
      limits.push((JSON.parse((await connection.read())?.text ?? '') as { limit: number }).limit);
    }

    expect(limits).toEqual(paths.map((_, at) => at + 1));
  });

  it.each([
    ['in HTTP/1.0', `GET /rates HTTP/1.0\r\n${auth}\r\n`],
    ['in HTTP/1.0 with chunks', `GET /rates HTTP/1.0\r\n${auth}Transfer-Encoding: chunked\r\n\r\n`],
    ['with Connection: close', `${head}Connection: close\r\n\r\n`],
  ])('%s is answered, and the connection ends', async (_what, payload) => {
    const answers = await readAll(await sendRaw(payload));

    expect(answers.map(({ status }) => status)).toEqual([200]);
    expect(answers[0]?.headers.get('connection')).toBe('close');
  });

  it.each(['websocket', 'h2c', 'TLS/1.2'])(
    'with an upgrade to %s gets its answer in HTTP/1.1',
    async (other) => {
      const connection = await sendRaw(`${head}Connection: Upgrade\r\nUpgrade: ${other}\r\n\r\n`);

      const answer = await connection.read();
      connection.send(good.replace('{key}', service().key));
      const next = await connection.read();

      expect([answer?.status, next?.status]).toEqual([200, 200]);
    },
  );

  it('with Expect: 100-continue gets a 100, and its answer', async () => {
    const connection = await sendRaw(`${head}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`);

    const informed = await connection.read();
    const answer = await connection.read();

    expect([informed?.status, answer?.status]).toEqual([100, 200]);
  });
});

describe('a malformed body after a valid head', () => {
  it.each(unreadableBodies)(
    'ends the connection for %s, and no request after it is answered',
    async (_what, payload) => {
      const answers = await readAll(await sendRaw(payload + good));

      // The head may have been answered already; a refusal of the rest may follow.
      expect([[], [200], [200, 400], [200, 413], [200, 431]]).toContainEqual(
        answers.map(({ status }) => status),
      );
      expect((await service().get('/rates')).status).toBe(200);
    },
  );

  it.each([
    ['garbage', 'garbage\r\n\r\n'],
    ['an odd Expect', `GET /fast HTTP/1.1\r\n${host}Expect: 200-ok\r\n\r\n`],
    ['CONNECT', `CONNECT x:443 HTTP/1.1\r\n${host}\r\n`],
  ])('never mixes the refusal of %s into an answer that is being sent', async (_what, payload) => {
    const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>();
    const server = createServer((request, response) => {
      if (request.url === '/fast') response.end('fast');
      else void mayAnswer.then(() => response.end('slow'));
    });
    const guard = createGuard();
    answerParserErrors(server, { connections: guard, freeLimits: { ofAddress: () => undefined } });
    onTestFinished(guard.watch(server));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const connection = await RawConnection.open(`http://127.0.0.1:${port}`);
    connection.send(`GET /fast HTTP/1.1\r\n${host}\r\nGET /slow HTTP/1.1\r\n${host}\r\n`);
    const fast = await connection.read();

    connection.send(payload);
    const rest = await readAll(connection);
    letAnswer();

    expect([fast?.text, rest]).toEqual(['fast', []]);
  });
});

describe('a head that does not arrive (reliability R24)', () => {
  it('ends its connection within 7 s, while other connections are answered', async () => {
    const startedMs = performance.now();
    const silent = await RawConnection.open(service().apiUrl);
    const half = await sendRaw(head);
    const dripping = await sendRaw('GET /rates HTTP/1.1\r\nX: ');
    const drip = setInterval(() => dripping.send('x'), 200);
    onTestFinished(() => clearInterval(drip));

    const meanwhile = await service().get('/rates');
    const answers = await Promise.all([silent, half, dripping].map(readAll));

    expectWithin(performance.now() - startedMs, 7_000);
    expect(meanwhile.status).toBe(200);
    const timeout = [rawErrorForm(408, 'request timeout')];
    expect(answers.map((one) => one.map(rawFormOf))).toEqual([timeout, timeout, timeout]);
  });
});
