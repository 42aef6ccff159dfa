import type { IncomingHttpHeaders } from 'node:http';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveHttp } from '../../../test/support/loopback-server.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { noon } from '../../../test/support/stored-webhooks.ts';
import { attemptDelivery } from './http-sender.ts';
import { createSigningSecret, prepareSecret } from '../signature.ts';
import type { ReceiverHeaders } from '../subscriptions/receiver-headers.ts';

const [secret, otherSecret] = [
  createSigningSecret(Buffer.alloc(32, 1)),
  createSigningSecret(Buffer.alloc(32, 2)),
];
const body = Buffer.from('{"type":"rates.changed","note":"Ünïcode \\u00e9 1.0"}');

function openAgent(options: Agent.Options = {}): Agent {
  const agent = new Agent(options);
  onTestFinished(() => agent.destroy());
  return agent;
}

/** One attempt at a URL. */
async function attempt(
  url: string,
  dispatcher: Dispatcher = openAgent(),
  headers: ReceiverHeaders = [],
) {
  const clock = new SettableClock('2026-11-20T12:00:00.900Z');
  const signingKeys = [prepareSecret(secret), prepareSecret(otherSecret)];
  const message = { url, eventId: 'evt_1', body, signingKeys, headers };
  return attemptDelivery({ dispatcher, clock }, message);
}

type Received = {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
};

/** A receiver that keeps the requests. */
async function serveKeeper() {
  const received: Received[] = [];
  const url = await serveHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      received.push({ method, url, headers, bytes: Buffer.concat(chunks) });
      response.writeHead(204).end();
    });
  });
  return { url, received };
}

describe('attemptDelivery: the request (contract C28)', () => {
  it('posts the bytes of the body to the path and query of the URL', async () => {
    const { url, received } = await serveKeeper();

    await attempt(`${url}/hooks/a%20b?of=vatfx&x=%2F#not-sent`);

    expect(received).toMatchObject([{ method: 'POST', url: '/hooks/a%20b?of=vatfx&x=%2F' }]);
    expect(received[0]?.bytes.equals(body)).toBe(true);
  });

  it('sends the headers of Standard Webhooks and its user agent', async () => {
    const { url, received } = await serveKeeper();

    await attempt(url);

    const { host: _host, connection: _connection, ...headers } = received[0]?.headers ?? {};
    expect(headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      'user-agent': 'vatfx-webhooks',
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Date.parse(noon) / 1_000),
      'webhook-signature': expect.stringMatching(/^v1,[^ ]{44} v1,[^ ]{44}$/),
    });
  });
});

describe('attemptDelivery: the headers of a subscription (contract C27)', () => {
  it('are sent as they are, beside those of the delivery, and may replace its user agent', async () => {
    const { url, received } = await serveKeeper();
    const value = `Bearer ${'x'.repeat(4_089)}`;

    await attempt(url, openAgent(), [
      ['Authorization', value],
      ['X-Gateway', 'a "b" ~'],
      ['User-Agent', 'shop'],
    ]);

    const { authorization, 'user-agent': agent, ...others } = received[0]?.headers ?? {};
    expect([authorization, others['x-gateway'], agent]).toEqual([value, 'a "b" ~', 'shop']);
    expect(others).toMatchObject({ 'webhook-id': 'evt_1', 'content-length': String(body.length) });
  });
});

describe('attemptDelivery: the answer (contract C29)', () => {
  it('reads about 16 KB of an answer, and hangs up', async () => {
    const connect = buildConnector({});
    const bytesRead: (() => number)[] = [];
    const agent = openAgent({
      connect: (to, callback) =>
        connect(to, (...result) => {
          const [, socket] = result;
          if (socket !== null) bytesRead.push(() => socket.bytesRead);
          callback(...result);
        }),
    });
    const hungUp = Promise.withResolvers<void>();
    const url = await serveHttp((_, response) => {
      response.once('close', hungUp.resolve);
      const pour = (): void => {
        while (!response.destroyed && response.write('x'.repeat(1_024)));
      };
      response.on('drain', pour);
      pour();
    });

    const { attempt: ended } = await attempt(url, agent);
    await hungUp.promise;

    expect(ended).toMatchObject({ statusCode: 200, error: undefined });
    // A socket is read 64 KB at a time.
    expect(bytesRead[0]?.()).toBeLessThanOrEqual(2 * 65_536);
  });
});
