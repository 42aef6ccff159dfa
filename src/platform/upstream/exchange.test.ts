import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { serveHttp, serveSocket } from '../../../test/support/loopback-server.ts';
import {
  probeExchange,
  failure,
  head,
  readText,
  serveBytes,
} from '../../../test/support/probe-exchange.ts';
import type { ExchangeAnswer } from './exchange.ts';

const openSockets = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

describe('exchange', () => {
  it('gives status, headers and body', async () => {
    const url = await serveHttp((_request, response) => {
      response.writeHead(404, { 'Last-Modified': 'then', 'Set-Cookie': ['a', 'b'] }).end('no');
    });

    const answer = await probeExchange(url, async (answer) => ({
      at: answer.at,
      headers: ['last-modified', 'set-cookie', 'etag'].map((name) => answer.header(name)),
      text: await readText(answer),
    }));

    expect(answer).toEqual({
      at: { upstream: 'ecb', operation: 'query', status: 404 },
      headers: ['then', 'a', undefined],
      text: 'no',
    });
  });

  it('sends method, headers and body, and accepts gzip', async () => {
    const url = await serveHttp((request, response) => {
      const { method, headers } = request;
      request.on('data', (body) => {
        response.end(`${method} ${headers['accept-encoding']} ${String(headers['x'])} ${body}`);
      });
    });

    const text = await probeExchange(url, readText, {
      method: 'POST',
      headers: { x: 'y' },
      body: 'ü',
    });

    expect(text).toBe('POST gzip y ü');
  });

  it.each([['gzip'], ['x-gzip'], ['GZIP']])(
    'decodes a body that is encoded as %s',
    async (encoding) => {
      const url = await serveHttp((_request, response) => {
        response.writeHead(200, { 'Content-Encoding': encoding }).end(gzipSync('whole'));
      });

      expect(await probeExchange(url, readText)).toBe('whole');
    },
  );

  it('does not follow a redirect', async () => {
    const url = await serveHttp((_request, response) => {
      response.writeHead(301, { Location: 'http://127.0.0.1:1/' }).end();
    });

    expect(await probeExchange(url, async ({ status }) => Promise.resolve(status))).toBe(301);
  });

  it('rethrows the error of the reader', async () => {
    const url = await serveHttp((_request, response) => response.end('x'));
    const bug = new TypeError('a bug');

    await expect(probeExchange(url, async () => Promise.reject(bug))).rejects.toBe(bug);
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    await expect(probeExchange(url, async () => Promise.reject('no error'))).rejects.toBe(
      'no error',
    );
  });
});

describe('the deadline of an exchange', () => {
  const deadlineMs = 100;

  it.each([
    ['the connection never opens', async () => neverConnecting()],
    ['there is no head', async () => serveSocket(() => {})],
    ['the head never ends', async () => serveBytes('HTTP/1.1 200 OK\r\nX: ')],
    ['the body never starts', async () => serveBytes(head('Content-Length: 10'))],
    ['the body drips', async () => serveSocket(drip)],
    ['the body drips in chunks', async () => serveSocket((socket) => drip(socket, chunked))],
  ])('ends it when %s', async (_, serve) => {
    const { url, agent } = await ofServer(serve());

    const error = await failure(url, { deadlineMs, agent });

    expect(error.kind).toBe('timeout');
    expect(error.message).toBe('ecb: query: no complete answer within 100 ms');
  });

  it('ends an exchange that waits for the connection of another one', async () => {
    const url = await serveSocket(() => {});
    const agent = new Agent({ connections: 1 });
    const first = failure(url, { agent });

    const second = await failure(url, { deadlineMs, agent });

    expect(second.kind).toBe('timeout');
    await agent.destroy();
    expect((await first).kind).toBe('network');
  });

  const chunked = { head: 'Transfer-Encoding: chunked', part: '1\r\nx\r\n' };

  function drip(
    socket: Socket,
    { head: lines, part } = { head: 'Content-Length: 999', part: 'x' },
  ) {
    socket.once('data', () => {
      socket.write(head(lines));
      const timer = setInterval(() => socket.write(part), 10);
      socket.once('close', () => clearInterval(timer));
    });
  }

  async function ofServer(serving: Promise<string | { url: string; agent: Agent }>) {
    const served = await serving;
    return typeof served === 'string' ? { url: served, agent: new Agent() } : served;
  }

  /** A dispatcher whose connector stays silent, as for an address that swallows packets. */
  async function neverConnecting(): Promise<{ url: string; agent: Agent }> {
    return Promise.resolve({
      url: 'http://10.255.255.1/',
      agent: new Agent({ connect: () => {} }),
    });
  }
});

describe('the cap of an exchange', () => {
  const bodyBytesMax = 1_000;

  it('lets a body of exactly its size through', async () => {
    const url = await serveHttp((_request, response) => response.end('x'.repeat(bodyBytesMax)));

    expect(await probeExchange(url, readText, { bodyBytesMax })).toHaveLength(bodyBytesMax);
  });

  it('refuses a body that is a byte longer', async () => {
    const url = await serveHttp((_request, response) => response.end('x'.repeat(bodyBytesMax + 1)));

    const error = await failure(url, { bodyBytesMax });

    expect(error).toMatchObject({ kind: 'too-large', status: 200 });
    expect(error.message).toBe('ecb: query: the answer has more than 1000 bytes');
  });

  it('refuses a body without an end', async () => {
    const url = await serveSocket((socket) => {
      const pour = (): void => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) continue;
      };
      socket.once('data', () => socket.write(head('Connection: close'))).on('drain', pour);
      socket.once('data', pour);
    });

    expect((await failure(url, { bodyBytesMax })).kind).toBe('too-large');
  });

  it('counts the decoded bytes of gzip', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const url = await serveHttp((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
    });
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
  it.each([
    ['before it began', 'before'],
    ['while it waits for an answer', 'head'],
    ['in the middle of the body', 'body'],
  ])('ends as cancelled %s', async (_, when) => {
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

    const error = await failure(url, { signal: stopping.signal }, read);

    expect(error.kind).toBe('cancelled');
    expect(error.isPermanent).toBe(true);
  });
});

describe('after an exchange', () => {
  it.each([
    ['that was not read to its end', async () => 'enough'],
    ['whose reader failed halfway', failHalfway],
    ['that was read', readText],
  ])('no socket is left of one %s, once its agent is closed', async (_, read) => {
    const agent = new Agent();
    const url = await serveBytes(head('Content-Length: 500000'), Buffer.alloc(500_000));
    const before = openSockets();

    await probeExchange(url, read, { agent }).catch(() => 'failed');
    await agent.close();

    await vi.waitFor(() => expect(openSockets()).toBe(before));
  });

  async function failHalfway({ chunks }: ExchangeAnswer): Promise<string> {
    for await (const chunk of chunks) throw new Error(`enough after ${chunk.length} bytes`);
    return 'empty';
  }
});
