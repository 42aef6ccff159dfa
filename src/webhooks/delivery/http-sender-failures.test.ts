import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { attempt, openReceiverAgent } from '../../../test/support/attempt-delivery.ts';
import { serveHttp, serveSocket } from '../../../test/support/loopback-server.ts';
import { serveBytes } from '../../../test/support/probe-exchange.ts';
import { answers, noResolve } from '../../../test/support/send-guarded.ts';

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

  it.each([
    [
      'two lengths',
      'length of the answer is unclear',
      '200 OK\r\nContent-Length: 2\r\nContent-Length: 2',
    ],
    ['a list of lengths', 'length of the answer is unclear', '200 OK\r\nContent-Length: 2, 2'],
    [
      'a length beside chunks',
      'length of the answer is unclear',
      '200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked',
    ],
    [
      'a length of 20 digits',
      'length of the answer is unclear',
      `200 OK\r\nContent-Length: ${'9'.repeat(20)}`,
    ],
    ['an empty length', 'answer is not HTTP', '200 OK\r\nContent-Length: '],
    ['the status 099', 'answer is not HTTP', '099 OK\r\nContent-Length: 0'],
    ['the status 1000', 'answer is not HTTP', '1000 OK\r\nContent-Length: 0'],
  ])('reports of a receiver that answers with %s: %s', async (_, error, head) => {
    const url = await serveBytes(`HTTP/1.1 ${head}\r\n\r\nok`);
    const agent = openReceiverAgent();

    expect(await attempt(url, agent)).toEqual(none(error));
    expect(await attempt(url, agent)).toEqual(none(error));
  });

  it.each([
    ['a name without address', 'host does not resolve', answers()],
    ['a name that cannot be resolved', 'host does not resolve', noResolve],
    ['a private address', 'address is not public', answers('10.0.0.1')],
  ])('reports of %s: %s', async (_, error, resolve) => {
    expect(await attempt('http://receiver.test/', openReceiverAgent({ resolve }))).toEqual(
      none(error),
    );
  });
});

describe('attemptDelivery: the deadline of 15 s (contract C29)', () => {
  it('times out while the head of the answer arrives byte by byte', async () => {
    const requested = hurryTimeouts();
    const url = await serveSocket((socket) => {
      const timer = setInterval(() => socket.write('x'), 5);
      socket.once('close', () => clearInterval(timer));
      socket.write('HTTP/1.1 200 OK\r\nx: ');
    });

    expect(await attempt(url)).toEqual(none('timed out'));
    expect(requested).toContain(15_000);
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
});

describe('attemptDelivery: errors are a closed list', () => {
  const withCode = (code: string): Error =>
    Object.assign(new Error('connect 10.1.2.3:443 by /etc/vatfx'), { code });

  const failWith = async (thrown: unknown) => {
    const agent = openReceiverAgent();
    agent.request = async () => Promise.reject(thrown);
    return attempt('http://127.0.0.1/', agent);
  };

  it.each([
    ['connection refused', 'ECONNREFUSED'],
    ['timed out', 'ETIMEDOUT UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT'],
    ['connection broken', 'ECONNRESET EPIPE UND_ERR_SOCKET'],
    ['answer is too large', 'UND_ERR_HEADERS_OVERFLOW'],
    ['not reachable', 'EHOSTUNREACH ENETUNREACH SOMETHING_NEW'],
    [
      'certificate or TLS not accepted',
      'ERR_TLS_HANDSHAKE_TIMEOUT CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ],
  ])('reports as “%s”: %s', async (reported, codes) => {
    // Most of these errors cannot be produced on one machine.
    const attempts = codes.split(' ').map(async (code) => failWith(withCode(code)));
    expect(await Promise.all(attempts)).toEqual(attempts.map(() => none(reported)));
    expect(await failWith('secret')).toEqual(none('failed'));
  });
});
