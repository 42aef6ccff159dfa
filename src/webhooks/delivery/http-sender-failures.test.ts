import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { serveHttp, serveSocket, unusedAddress } from '../../../test/support/loopback-server.ts';
import { answers, noResolve } from '../../../test/support/send-guarded.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { noon } from '../../../test/support/stored-webhooks.ts';
import { createAddressPolicy } from '../network/address-class.ts';
import type { Resolve } from '../network/resolve.ts';
import { attemptDelivery } from './http-sender.ts';
import { createSsrfGuard } from '../network/ssrf-guard.ts';

/** For receiver.test and 127.0.0.1, until 2120, by an unknown authority; protects nothing. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgm9G4g0K+SpNjGLDL
dk5NIYZtRy0qh9ChS1g37FOI0o6hRANCAAS3Cj8elS3xZs8FQ0A/CGHH2J3sC+gH
WNm6ds1xbeYZOXHBjpQsTCxXxMkbFTujWtUsTEh3KYzf+LsfWgykVZCF
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBiDCCAS2gAwIBAgIBATAKBggqhkjOPQQDAjAcMRowGAYDVQQDDBF1bmtub3du
IGF1dGhvcml0eTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGDEW
MBQGA1UEAwwNcmVjZWl2ZXIudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BLcKPx6VLfFmzwVDQD8IYcfYnewL6AdY2bp2zXFt5hk5ccGOlCxMLFfEyRsVO6Na
1SxMSHcpjN/4ux9aDKRVkIWjYjBgMB4GA1UdEQQXMBWCDXJlY2VpdmVyLnRlc3SH
BH8AAAEwHQYDVR0OBBYEFJOFWvL5ypDKqbhPEMK2w7JVLF43MB8GA1UdIwQYMBaA
FGQbCa2E8zVUJ2C0KHUr5lVqaEm9MAoGCCqGSM49BAMCA0kAMEYCIQDZXpXFE/++
8qxr4kQnKRNN7wenmAvxg/GOsks3n5eRkwIhAJkh8ZJUJkEqZbCVRgQQ9f9OZnWE
GX6TvZ3LL084/Loz
-----END CERTIFICATE-----`;

type Guarded = {
  readonly resolve?: Resolve;
  readonly ca?: string;
  readonly allow?: readonly string[];
};

/** Connections as deliveries have them; loopback is allowed by default. */
function openAgent({ resolve = noResolve, ca, allow = ['127.0.0.0/8'] }: Guarded = {}): Agent {
  const guard = createSsrfGuard({
    isAllowed: createAddressPolicy(allow),
    resolve,
    ...(ca === undefined ? {} : { tls: { ca, allowPartialTrustChain: true } }),
  });
  const agent = new Agent({ connect: guard.connect });
  onTestFinished(() => agent.destroy());
  return agent;
}

/** The result of one attempt. */
async function attempt(url: string, dispatcher: Dispatcher = openAgent()) {
  const message = { url, eventId: 'evt_1', body: Buffer.from('{}'), signingKeys: [] };
  const parts = { dispatcher, clock: new SettableClock(noon) };
  const { attempt: ended } = await attemptDelivery(parts, message);
  return { statusCode: ended.statusCode, error: ended.error };
}

/** Serves HTTPS with the certificate above; gives the port. */
async function serveTls(): Promise<number> {
  const server = createServer({ key, cert }, (_, response) => void response.writeHead(204).end());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await server[Symbol.asyncDispose]();
  });
  return (server.address() as AddressInfo).port;
}

/** Shortens every timeout by a factor; returns the requested timeouts in ms. */
function hurryTimeouts(times = 100): number[] {
  const requested: number[] = [];
  const original = AbortSignal.timeout.bind(AbortSignal);
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    requested.push(ms);
    return original(ms / times);
  });
  onTestFinished(() => spy.mockRestore());
  return requested;
}

const none = (error: string) => ({ statusCode: undefined, error });

describe('attemptDelivery: errors of connections (contract C29)', () => {
  it.each<readonly [string, string, (socket: Socket) => void]>([
    ['resets', 'connection broken', (socket) => void socket.resetAndDestroy()],
    ['hangs up', 'connection broken', (socket) => void socket.end()],
    ['ends inside of the head', 'connection broken', (socket) => void socket.end('HTTP/1.1 200 O')],
    [
      'does not answer with HTTP',
      'answer is not HTTP',
      (socket) => void socket.end('220 ESMTP\r\n'),
    ],
  ])('reports of a receiver that %s: %s', async (_, error, onData) => {
    const url = await serveSocket((socket) => void socket.once('data', () => onData(socket)));

    expect(await attempt(url)).toEqual(none(error));
  });

  it('reports a refused connection if nothing listens at the port', async () => {
    expect(await attempt(await unusedAddress())).toEqual(none('connection refused'));
  });

  it.each([
    ['a name without address', 'host does not resolve', answers()],
    ['a name that cannot be resolved', 'host does not resolve', noResolve],
    ['a private address', 'address is not public', answers('10.0.0.1')],
  ])('reports of %s: %s', async (_, error, resolve) => {
    expect(await attempt('http://receiver.test/', openAgent({ resolve }))).toEqual(none(error));
  });

  it('does not reveal the private address', async () => {
    expect(await attempt('http://127.0.0.1:1/', openAgent({ allow: [] }))).toEqual(
      none('address is not public'),
    );
  });
});

describe('attemptDelivery over TLS (contract C29, C30)', () => {
  const refused = none('certificate or TLS not accepted');

  it('succeeds if the certificate is trusted', async () => {
    const agent = openAgent({ ca: cert, resolve: answers('127.0.0.1') });

    const ended = await attempt(`https://receiver.test:${await serveTls()}/`, agent);

    expect(ended).toEqual({ statusCode: 204, error: undefined });
  });

  it('refuses a certificate of an unknown authority with an incomplete chain', async () => {
    expect(await attempt(`https://127.0.0.1:${await serveTls()}/`)).toEqual(refused);
  });

  it('refuses a certificate for another name', async () => {
    const agent = openAgent({ ca: cert, resolve: answers('127.0.0.1') });

    expect(await attempt(`https://other.test:${await serveTls()}/`, agent)).toEqual(refused);
  });

  it('refuses a receiver that speaks plain HTTP at an https URL', async () => {
    const url = await serveSocket((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));

    expect(await attempt(url.replace('http:', 'https:'))).toEqual(refused);
  });
});

describe('attemptDelivery: the deadline of 15 s (contract C29)', () => {
  it('times out without an answer', async () => {
    const requested = hurryTimeouts();
    const url = await serveSocket(() => {});

    const ended = await attempt(url);

    expect(ended).toEqual(none('timed out'));
    expect(requested).toContain(15_000);
  });

  it('times out while the head of the answer arrives byte by byte', async () => {
    hurryTimeouts();
    const url = await serveSocket((socket) => {
      const timer = setInterval(() => socket.write('x'), 5);
      socket.once('close', () => clearInterval(timer));
      socket.write('HTTP/1.1 200 OK\r\nx: ');
    });

    expect(await attempt(url)).toEqual(none('timed out'));
  });

  it('times out while the name is being resolved', async () => {
    hurryTimeouts();
    const resolve: Resolve = async () => new Promise(() => {});

    expect(await attempt('http://receiver.test/', openAgent({ resolve }))).toEqual(
      none('timed out'),
    );
  });

  it('times out at the deadline of the connector', async () => {
    const guard = createSsrfGuard({
      isAllowed: () => true,
      resolve: async (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      connectTimeoutMs: 50,
    });
    const agent = new Agent({ connect: guard.connect });
    onTestFinished(() => agent.destroy());

    expect(await attempt('http://receiver.test/', agent)).toEqual(none('timed out'));
  });

  it.each([200, 503])('accepts a %i whose body never ends', async (statusCode) => {
    // Time enough for the head to arrive on a busy machine.
    hurryTimeouts(10);
    const hungUp = Promise.withResolvers<void>();
    const url = await serveHttp((_, response) => {
      response.once('close', hungUp.resolve);
      response.writeHead(statusCode).write('and then');
    });

    const ended = await attempt(url);
    await hungUp.promise;

    expect(ended).toEqual({ statusCode, error: undefined });
  });

  it('hangs up on a receiver that sends its body byte by byte', async () => {
    hurryTimeouts();
    const hungUp = Promise.withResolvers<void>();
    const url = await serveHttp((_, response) => {
      const timer = setInterval(() => response.write('x'), 5);
      response.once('close', () => {
        clearInterval(timer);
        hungUp.resolve();
      });
    });

    expect(await attempt(url)).toEqual({ statusCode: 200, error: undefined });
    await hungUp.promise;
  });
});

describe('attemptDelivery: errors are a closed list', () => {
  const withCode = (code: string): Error =>
    Object.assign(new Error('connect 10.1.2.3:443 by /etc/vatfx'), { code });

  it.each([
    ['ECONNREFUSED', 'connection refused'],
    ['ETIMEDOUT', 'timed out'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timed out'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timed out'],
    ['UND_ERR_BODY_TIMEOUT', 'timed out'],
    ['ECONNRESET', 'connection broken'],
    ['EPIPE', 'connection broken'],
    ['UND_ERR_SOCKET', 'connection broken'],
    ['UND_ERR_HEADERS_OVERFLOW', 'answer is too large'],
    ['EHOSTUNREACH', 'not reachable'],
    ['ENETUNREACH', 'not reachable'],
    ['ERR_TLS_HANDSHAKE_TIMEOUT', 'certificate or TLS not accepted'],
    ['CERT_HAS_EXPIRED', 'certificate or TLS not accepted'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate or TLS not accepted'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate or TLS not accepted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate or TLS not accepted'],
    ['SOMETHING_NEW', 'not reachable'],
  ])('reports the code %s as: %s', async (code, error) => {
    // Most of these errors cannot be produced on one machine.
    const agent = openAgent();
    agent.request = async () => Promise.reject(withCode(code));

    expect(await attempt('http://127.0.0.1/', agent)).toEqual(none(error));
  });

  it.each([
    ['without a code', 'not reachable', new Error('10.1.2.3 is ours')],
    ['that is no error', 'failed', 'secret'],
  ])('reports an error %s only as: %s', async (_, error, thrown) => {
    const agent = openAgent();
    agent.request = async () => Promise.reject(thrown);

    expect(await attempt('http://127.0.0.1/', agent)).toEqual(none(error));
  });

  it('reports an invalid URL as not reachable', async () => {
    expect(await attempt('not a URL')).toEqual(none('not reachable'));
  });
});
