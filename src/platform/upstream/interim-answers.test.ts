import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTlsFront } from '../../../test/faults/support/tls-front.ts';
import { attempt } from '../../../test/support/attempt-delivery.ts';
import { serveSocket } from '../../../test/support/loopback-server.ts';
import { failure, head, probeExchange, readText } from '../../../test/support/probe-exchange.ts';
import { proxyAt } from '../../../test/support/proxy-server.ts';
import { createUpstreamAgent } from './upstream-agent.ts';

const interim = (status: string): string => `HTTP/1.1 ${status}\r\n\r\n`;
const bytesOf = (text: string): readonly string[] => text.split('');
const answer = `${head('Content-Length: 2')}ok`;

/** Answers each request with these parts, written one after the other. */
async function serveParts(...parts: readonly string[]): Promise<string> {
  return serveSocket(
    (socket) => void socket.setNoDelay().on('data', () => void write(socket, parts)),
  );
}

async function write(socket: Socket, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    socket.write(part);
    await setImmediate();
  }
}

/** A proxy that answers CONNECT with these bytes and makes the tunnel. */
async function serveTunnels(established: string): Promise<string> {
  const proxy = createServer().on('connect', ({ url = '' }, client: Socket) => {
    const behind = connect(Number(url.split(':').at(-1)), '127.0.0.1');
    client.write(established);
    client.on('error', () => {}).once('close', () => behind.destroy());
    client.pipe(behind).pipe(client);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

/** Puts TLS in front of a server. */
async function secure(url: string): Promise<string> {
  const trusted = getCACertificates('default');
  const front = await startTlsFront(Number(new URL(url).port));
  onTestFinished(async () => {
    setDefaultCACertificates(trusted);
    await front[Symbol.asyncDispose]();
  });
  return `https://127.0.0.1:${front.port}`;
}

const ask = async (url: string, agent: Dispatcher = createUpstreamAgent()) =>
  probeExchange(url, readText, { agent });

describe('interim answers (RFC 9110 section 15.2, contract C28a)', () => {
  it.each<[string, readonly string[]]>([
    ['100 in one piece with the answer', [interim('100 Continue') + answer]],
    ['102', [interim('102 Processing'), answer]],
    ['103 with fields', ['HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n', answer]],
    [
      'several, of HTTP/1.0, without a reason',
      [...bytesOf('HTTP/1.0 100\r\n\r\n'), interim('100 '), interim('199 X'), answer],
    ],
    ['100 byte by byte', bytesOf(interim('100 Continue') + answer)],
    ['100 whose lines end without CR', ['HTTP/1.1 100 Continue\nserver: old\n\n', answer]],
    ['100 of a length, as XRootD sends it', ['HTTP/1.1 100\r\nContent-Length: 0\r\n\r\n', answer]],
  ])('%s: are skipped', async (_, parts) => {
    const url = await serveParts(...parts);

    expect(await ask(url)).toBe('ok');
    expect(await attempt(url)).toEqual({ statusCode: 200, error: undefined });
  });

  it('are skipped in front of each answer of a connection, and kept inside of a body', async () => {
    let connections = 0;
    const inBody = interim('100 Continue');
    const url = await serveSocket((socket) => {
      connections += 1;
      const parts = [interim('100 Continue'), head(`Content-Length: ${inBody.length}`), inBody];
      socket.setNoDelay().on('data', () => void write(socket, parts));
    });
    const agent = createUpstreamAgent({ connections: 1, keepAliveMs: 60_000 });
    onTestFinished(async () => agent.destroy());

    const bodies: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const { body } = await agent.request({ origin: url, path: '/', method: 'GET' });
      bodies.push(await body.text());
    }

    expect(bodies).toEqual([inBody, inBody, inBody]);
    expect(connections).toBe(1);
  });

  it('are skipped over TLS, through a proxy, and of a proxy that makes a tunnel', async () => {
    const plain = await serveParts(interim('100 Continue'), answer);
    const secured = await secure(plain);
    const proxy = proxyAt(plain, 'HTTP_PROXY');
    const established = `${interim('100 Continue')}${interim('103 X')}${interim('200 Made')}`;
    const tunnels = proxyAt(await serveTunnels(established));

    expect(await ask(secured)).toBe('ok');
    expect(await ask('http://upstream.test/', createUpstreamAgent({ proxy }))).toBe('ok');
    expect(await ask(secured, createUpstreamAgent({ proxy: tunnels }))).toBe('ok');
  });

  it('without an answer are none', async () => {
    const url = await serveSocket((socket) => {
      socket.once('data', () => socket.end(interim('100 Continue')));
    });

    expect(await failure(url, { agent: createUpstreamAgent() })).toMatchObject({ kind: 'network' });
    expect(await attempt(url)).toEqual({ statusCode: undefined, error: 'connection broken' });
  });

  it.each([
    ['in all', interim('100 Continue').repeat(1_000)],
    ['in one of them', `HTTP/1.1 103 X\r\nlink: ${'x'.repeat(20_000)}`],
  ])('of more than 16 KB %s end the attempt', async (_, sent) => {
    const url = await serveParts(sent, answer);

    expect(await attempt(url)).toEqual({ statusCode: undefined, error: 'answer is too large' });
  });

  it('do not include 101, which nobody asked for', async () => {
    const url = await serveParts(interim('101 Switching Protocols\r\nupgrade: x'), answer);

    expect((await attempt(url)).statusCode).toBeUndefined();
  });
});
