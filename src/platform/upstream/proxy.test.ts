import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startTlsFront } from '../../../test/faults/support/tls-front.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { serveHttp, serveSocket, unusedAddress } from '../../../test/support/loopback-server.ts';
import {
  failure,
  probeExchange,
  readText,
  serveBytes,
} from '../../../test/support/probe-exchange.ts';
import { proxyAt, serveProxy } from '../../../test/support/proxy-server.ts';
import { checkHead } from './check-answer.ts';
import { readConfig } from '../config/config.ts';
import { chooseProxy, nameProxy, type Proxy } from './proxy.ts';
import { createUpstreamAgent } from './upstream-agent.ts';

describe('chooseProxy (rule O2)', () => {
  const both = { HTTPS_PROXY: 'http://secure.test:1', HTTP_PROXY: 'http://plain.test:2' };

  it.each<[string, Record<string, string>, string | undefined]>([
    ['https://a.test/x', both, 'HTTPS_PROXY secure.test:1'],
    ['http://a.test/x', both, 'HTTP_PROXY plain.test:2'],
    ['https://a.test/', { HTTP_PROXY: 'http://plain.test:2' }, undefined],
    ['https://a.test/', { https_proxy: 'lower.test' }, 'HTTPS_PROXY lower.test:80'],
    [
      'https://a.test/',
      { ...both, https_proxy: 'https://lower.test' },
      'HTTPS_PROXY lower.test:443',
    ],
    ['https://a.test/', { ...both, NO_PROXY: 'b.test, a.test' }, undefined],
    [
      'https://a.test/',
      { ...both, NO_PROXY: 'a.test', no_proxy: 'b.test' },
      'HTTPS_PROXY secure.test:1',
    ],
    ['https://x.a.test/', { ...both, NO_PROXY: '.a.test' }, undefined],
    ['https://xa.test/', { ...both, NO_PROXY: 'a.test' }, 'HTTPS_PROXY secure.test:1'],
    ['https://a.test/', { ...both, NO_PROXY: '*' }, undefined],
    ['https://a.test/', { ...both, NO_PROXY: 'a.test:443' }, undefined],
    ['https://a.test:444/', { ...both, NO_PROXY: 'a.test:443' }, 'HTTPS_PROXY secure.test:1'],
    ['http://10.0.0.1/', { ...both, NO_PROXY: '10.0.0.1' }, undefined],
    // Undici knows no networks; docs/operating.md says so.
    ['http://10.0.0.1/', { ...both, NO_PROXY: '10.0.0.0/8' }, 'HTTP_PROXY plain.test:2'],
    ['http://[fd00::1]:81/', { ...both, NO_PROXY: '[fd00::1]:81' }, undefined],
    ['http://127.0.0.1:9100/', both, undefined],
    ['http://[::1]:9100/', both, undefined],
    ['https://localhost/', both, undefined],
  ])('of %s with %j is %s', (url, environment, expected) => {
    const proxy = chooseProxy(url, readConfig(environment, '').config);

    expect(proxy && `${proxy.variable} ${nameProxy(proxy)}`).toBe(expected);
  });
});

/** The failure of a request through a proxy; a step of its connection may take 300 ms. */
async function failThrough(proxy: Proxy, url: string) {
  const agent = createUpstreamAgent({ proxy, connectTimeoutMs: 300 });
  const { kind, message } = await failure(url, { agent, proxy }, async (answer) => {
    checkHead(answer, { statuses: [200], variable: 'ECB_URL' });
    return readText(answer);
  });
  expect(message).not.toMatch(/hunter2|me:/);
  return `${kind}: ${message}`
    .replace('ecb: query: ', '')
    .replaceAll(/(?:127\.0\.0\.1|localhost):\d+/g, 'ADDRESS');
}

const withUser = (url: string): string => url.replace('//', '//me:hunter2@');
const status = (line: string): string => `HTTP/1.1 ${line}\r\nContent-Length: 4\r\n\r\npage`;

describe('a proxy that makes no connection (rule O2)', () => {
  it.each<[string, () => Promise<string>, string]>([
    [
      'does not run',
      unusedAddress,
      'no connection to the proxy ADDRESS (ECONNREFUSED); check HTTPS_PROXY',
    ],
    [
      'never answers',
      async () => serveSocket(() => {}),
      'the proxy ADDRESS accepted the connection and did not answer',
    ],
    [
      'closes',
      async () => serveSocket((s) => s.once('data', () => s.destroy())),
      'the proxy ADDRESS closed the connection',
    ],
    [
      'is no proxy',
      async () => serveBytes('220 ESMTP\r\n'),
      'ADDRESS does not answer as an HTTP proxy; check HTTPS_PROXY',
    ],
    [
      'wants a password',
      async () => serveBytes(status('407 No')),
      'the proxy ADDRESS asks for a user and a password, or refuses those given (HTTP 407); set them in HTTPS_PROXY',
    ],
    [
      'refuses the password',
      async () => serveBytes(status('401 No')),
      'the proxy ADDRESS asks for a user and a password, or refuses those given (HTTP 401)',
    ],
    [
      'refuses',
      async () => serveBytes(status('403 No')),
      'the proxy ADDRESS refuses connections to a.test:443 (HTTP 403); allow them',
    ],
    [
      'cannot reach it',
      async () => serveBytes(status('503 No')),
      'the proxy ADDRESS has no connection to a.test:443 (HTTP 503)',
    ],
    [
      'has no TLS',
      async () => (await serveBytes('no TLS')).replace('http://127.0.0.1', 'https://localhost'),
      'no TLS with the proxy ADDRESS (ERR_SSL',
    ],
  ])('is named if it %s', async (_, serve, expected) => {
    const proxy = proxyAt(withUser(await serve()));

    expect(await failThrough(proxy, 'https://a.test/')).toContain(`proxy: ${expected}`);
  });

  it.each([
    ['407 No', 'the proxy ADDRESS asks for a user and a password'],
    [
      '403 No',
      'HTTP 403, expected 200; over http:// this may be a page of the proxy ADDRESS itself',
    ],
  ])('answers a request with http:// itself: %s', async (line, expected) => {
    const proxy = proxyAt(withUser(await serveBytes(status(line))), 'HTTP_PROXY');

    expect(await failThrough(proxy, 'http://a.test/')).toContain(`proxy: ${expected}`);
  });
});

describe('a tunnel through a proxy (rule O2)', () => {
  /** Serves text over TLS under the name `receiver.test`, which only the proxy resolves. */
  async function serveTls(text: string): Promise<string> {
    const url = await serveHttp((_, answer) => answer.end(text));
    // Other suites of this process expect that nobody knows the certificate.
    const before = getCACertificates('default');
    const front = await startTlsFront(Number(new URL(url).port));
    onTestFinished(async () => {
      setDefaultCACertificates(before);
      await front[Symbol.asyncDispose]();
    });
    return `https://receiver.test:${front.port}/`;
  }

  it('sends user and password to the proxy, and closes every connection at the end', async () => {
    const url = await serveTls('whole');
    const { proxy, asked, sockets } = await serveProxy();
    const agent = createUpstreamAgent({ proxy });

    expect(await probeExchange(url, readText, { agent, proxy })).toBe('whole');
    expect(asked).toEqual([`${new URL(url).host} Basic ${btoa('me:pass@word')}`]);
    expect(sockets.size).toBe(1);
    await agent.destroy();
    await eventually(() => sockets.size === 0);
  });

  it('ends a request that waits for the proxy when the agent is closed', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const url = await serveSocket((socket) => socket.once('data', () => resolve()));
    const agent = createUpstreamAgent({ proxy: proxyAt(url) });

    const failing = failure('https://a.test/', { agent });
    await asked;
    await agent.destroy();

    expect((await failing).kind).toBe('network');
  });

  it('is named if it breaks in the middle of a body', async () => {
    const url = await serveTls('x'.repeat(1_000_000));
    const { proxy } = await serveProxy((client, server) => {
      server.on('data', () => void (client.bytesWritten > 100_000 && client.destroy()));
    });
    const agent = createUpstreamAgent({ proxy });

    const { kind, message } = await failure(url, { agent, proxy });

    expect(kind).toBe('truncated');
    expect(message).toContain(
      `the connection through the proxy ${nameProxy(proxy)} ended before the answer did`,
    );
  });

  it('verifies the certificate of the upstream, whatever the environment says', async () => {
    const url = (await serveTls('secret')).replace('receiver.test', 'other.test');
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { proxy } = await serveProxy();

    expect(await failThrough(proxy, url)).toBe(
      'network: no answer through the proxy ADDRESS (ERR_TLS_CERT_ALTNAME_INVALID); is the address reachable?',
    );
  });

  it('verifies the certificate of an https:// proxy', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { port } = new URL(await serveTls('secret'));

    expect(await failThrough(proxyAt(`https://localhost:${port}`), 'https://a.test/')).toContain(
      'proxy: no TLS with the proxy ADDRESS (ERR_TLS_CERT_ALTNAME_INVALID); name its authority',
    );
  });
});
