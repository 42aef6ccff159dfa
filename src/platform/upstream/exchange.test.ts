import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { serveHttp, serveSocket, unusedAddress } from '../../../test/support/loopback-server.ts';
import {
  failure,
  head,
  probeExchange,
  readText,
  serveBytes,
} from '../../../test/support/probe-exchange.ts';
import type { ExchangeAnswer } from './exchange.ts';
import { patienceMs } from '../../../test/support/eventually.ts';

const openSockets = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

async function serveGzip(body: string | Uint8Array, encoding = 'gzip'): Promise<string> {
  return serveHttp((_request, response) => {
    response.writeHead(200, { 'Content-Encoding': encoding }).end(body);
  });
}

/** A server that ends the connection after these parts of an answer. */
async function cut(...parts: string[]): Promise<string> {
  return serveSocket((socket) => {
    socket.once('data', () => socket.end(parts.join('')));
  });
}

describe('exchange', () => {
  it('sends method, headers and body, and does not follow a redirect', async () => {
    const url = await serveHttp((request, response) => {
      const { method, headers } = request;
      request.on('data', (body) => {
        response.writeHead(301, { location: 'http://127.0.0.1:1/' });
        response.end(`${method} ${headers['accept-encoding']} ${String(headers['x'])} ${body}`);
      });
    });
    const sent = { method: 'POST', headers: { x: 'y' }, body: 'ü' } as const;

    const read = async (answer: ExchangeAnswer) =>
      `${answer.at.status} ${answer.header('location')} ${await readText(answer)}`;

    expect(await probeExchange(url, read, sent)).toBe('301 http://127.0.0.1:1/ POST gzip y ü');
  });

  it.each(['gzip', 'x-gzip', 'GZIP'])('decodes a body in %s', async (encoding) => {
    expect(await probeExchange(await serveGzip(gzipSync('whole'), encoding), readText)).toBe(
      'whole',
    );
  });
});

const ended = 'the connection ended before the answer did';
const notGzip = 'the answer is not the gzip that it claims to be';
const damaged = gzipSync('whole '.repeat(1_000)).fill(0xff, 12, 24);

describe('a broken exchange', () => {
  it.each<[string, () => Promise<string>, string, string]>([
    ['no server', unusedAddress, 'network', 'no answer (ECONNREFUSED)'],
    ['no answer', async () => serveSocket((s) => s.destroy()), 'network', 'no answer'],
    ['not HTTP', async () => serveBytes('220 ESMTP\r\n'), 'network', 'no answer (HTTPParserError)'],
    ['a short body', async () => cut(head('Content-Length: 10'), 'x'), 'truncated', ended],
    [
      'no end',
      async () => cut(head('Transfer-Encoding: chunked'), '1\r\nx\r\n'),
      'truncated',
      ended,
    ],
    ['half of a gzip', async () => serveGzip(gzipSync('a').subarray(0, -9)), 'truncated', ended],
    ['no gzip', async () => serveGzip('<xml/>'), 'encoding', notGzip],
    ['a damaged gzip', async () => serveGzip(damaged), 'encoding', notGzip],
    [
      'br',
      async () => serveGzip('x', 'br'),
      'encoding',
      'the answer is encoded as br, expected gzip',
    ],
  ])('has a kind and a reason: %s', async (_, serve, kind, message) => {
    const error = await failure(await serve());

    expect(error).toMatchObject({ kind, status: kind === 'network' ? undefined : 200 });
    expect(error.message).toContain(`ecb: query: ${message}`);
  });
});

describe('the deadline of an exchange', () => {
  const deadlineMs = 100;
  const drip = (socket: Socket): void => {
    socket.once('data', () => {
      socket.write(head('Content-Length: 999'));
      const timer = setInterval(() => socket.write('x'), 10);
      socket.once('close', () => clearInterval(timer));
    });
  };
  /** Stays silent, as an address that swallows packets. */
  const silent = new Agent({ connect: () => {} });

  it.each([
    ['the connection never opens', async () => 'http://10.255.255.1/', silent],
    ['there is no head', async () => serveSocket(() => {}), new Agent()],
    ['the head never ends', async () => serveBytes('HTTP/1.1 200 OK\r\nX: '), new Agent()],
    ['the body never starts', async () => serveBytes(head('Content-Length: 10')), new Agent()],
    ['the body drips', async () => serveSocket(drip), new Agent()],
  ])('ends it when %s', async (_, serve, agent) => {
    const error = await failure(await serve(), { deadlineMs, agent });

    expect(error.kind).toBe('timeout');
    expect(error.message).toBe('ecb: query: no complete answer within 100 ms');
  });
});

describe('the cap of an exchange', () => {
  it.each([
    [1_000, '1000 bytes'],
    [1_001, 'the answer has more than 1000 bytes'],
  ])('is in bytes: a body of %d has %s', async (length, expected) => {
    const url = await serveHttp((_request, response) => response.end('x'.repeat(length)));
    const read = async (answer: ExchangeAnswer) => `${(await readText(answer)).length} bytes`;

    const outcome = await probeExchange(url, read, { bodyBytesMax: 1_000 }).catch(String);

    expect(outcome).toContain(expected);
  });

  it('counts the decoded bytes of gzip', async () => {
    const url = await serveGzip(gzipSync(Buffer.alloc(50_000_000)));
    let bytesRead = 0;
    const count = async ({ chunks }: ExchangeAnswer): Promise<string> => {
      for await (const chunk of chunks) bytesRead += chunk.length;
      return 'read';
    };

    expect((await failure(url, { bodyBytesMax: 200_000 }, count)).kind).toBe('too-large');
    expect(bytesRead).toBeLessThanOrEqual(200_000);
  });
});

describe('a cancelled exchange', () => {
  it.each(['before', 'head', 'body'])('ends as cancelled: %s', async (when) => {
    const stopping = new AbortController();
    const url = await serveSocket((socket) => {
      socket.once('data', () => {
        if (when === 'body') socket.write(`${head('Content-Length: 10')}x`);
        else stopping.abort();
      });
    });
    if (when === 'before') stopping.abort();
    const read = async (answer: ExchangeAnswer): Promise<string> => {
      stopping.abort();
      return readText(answer);
    };

    expect((await failure(url, { signal: stopping.signal }, read)).kind).toBe('cancelled');
  });
});

it.each([
  ['was not read', async () => 'enough'],
  ['was read', readText],
])('no socket is left of an answer that %s, once its agent is closed', async (_, read) => {
  const agent = new Agent();
  const url = await serveBytes(head('Content-Length: 500000'), Buffer.alloc(500_000));
  const before = openSockets();

  await probeExchange(url, read, { agent });
  await agent.close();

  await vi.waitFor(() => expect(openSockets()).toBe(before), patienceMs);
});
