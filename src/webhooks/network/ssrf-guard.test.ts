import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { errors } from 'undici';
import { describe, expect, it } from 'vitest';
import { serveHttp, serveSocket } from '../../../test/support/loopback-server.ts';
import { answers, noResolve, sendGuarded } from '../../../test/support/send-guarded.ts';
import { createAddressPolicy } from './address-class.ts';
import type { Resolve } from './resolve.ts';
import { createSsrfGuard, ReceiverRefused } from './ssrf-guard.ts';

const { signal: never } = new AbortController();
const loopback = createAddressPolicy(['127.0.0.0/8', '::1/128']);

/** The URL of a server, with a name instead of the address. */
function named(url: string): string {
  return url.replace('127.0.0.1', 'receiver.test');
}

/** A socket that fails with a code. */
function failing(code: string): Socket {
  return new Socket().destroy(Object.assign(new Error(code), { code }));
}

describe('SsrfGuard.check (contract C30)', () => {
  it.each([
    ['a public address', 'https://9.9.9.9/'],
    ['a public IPv6 address', 'https://[2606:4700::1111]/'],
  ])('allows %s without a DNS query', async (_, url) => {
    const guard = createSsrfGuard({ isAllowed: createAddressPolicy([]), resolve: noResolve });

    expect(await guard.check(new URL(url), never)).toEqual({ kind: 'allowed' });
  });

  it.each([
    ['all answers are public', ['9.9.9.9', '2606:4700::1111'], { kind: 'allowed' }],
    ['the first is not', ['10.0.0.1', '9.9.9.9'], { kind: 'refused', why: 'notPublic' }],
    ['the last is not', ['9.9.9.9', '8.8.8.8', '::1'], { kind: 'refused', why: 'notPublic' }],
    ['one has a zone', ['9.9.9.9', 'fe80::1%1'], { kind: 'refused', why: 'notPublic' }],
    ['one is no address', ['9.9.9.9', 'example.com'], { kind: 'refused', why: 'notPublic' }],
    ['there are none', [], { kind: 'refused', why: 'unresolved' }],
  ])('judges a name if %s', async (_, addresses, expected) => {
    const guard = createSsrfGuard({
      isAllowed: createAddressPolicy([]),
      resolve: answers(...addresses),
    });

    expect(await guard.check(new URL('https://receiver.test/'), never)).toEqual(expected);
  });

  it.each(['127.0.0.1', '[::1]'])('refuses %s without a DNS query', async (host) => {
    const guard = createSsrfGuard({ isAllowed: createAddressPolicy([]), resolve: noResolve });

    expect(await guard.check(new URL(`https://${host}/`), never)).toEqual({
      kind: 'refused',
      why: 'notPublic',
    });
  });

  it('refuses a name as unresolved if no name server answers', async () => {
    const guard = createSsrfGuard({ isAllowed: loopback, resolve: noResolve });

    expect(await guard.check(new URL('https://receiver.test/'), never)).toEqual({
      kind: 'refused',
      why: 'unresolved',
    });
  });

  it('refuses a name as unresolved if the signal ends its resolving', async () => {
    const guard = createSsrfGuard({
      isAllowed: loopback,
      resolve: async (_, signal) => {
        signal.throwIfAborted();
        return [];
      },
    });

    const url = new URL('https://receiver.test/');
    const checked = await guard.check(url, AbortSignal.abort('stopped'));

    expect(checked).toEqual({ kind: 'refused', why: 'unresolved' });
  });
});

describe('SsrfGuard.connect (contract C30)', () => {
  it('connects to an allowed address without a DNS query', async () => {
    const url = await serveHttp((_, response) => response.end('hello'));

    expect(await sendGuarded(url, {})).toEqual({ status: 200, text: 'hello' });
  });

  it('resolves a name once, connects to the answer, and keeps the name in Host', async () => {
    const url = await serveHttp((incoming, response) => response.end(incoming.headers.host));
    const resolved: string[] = [];
    const resolve: Resolve = async (host) => {
      resolved.push(host);
      return ['::ffff:127.0.0.1'];
    };

    const { text } = await sendGuarded(named(url), { resolve });

    expect(text).toBe(new URL(named(url)).host);
    expect(resolved).toEqual(['receiver.test']);
  });

  it.each([
    ['notPublic', answers('127.0.0.1', '10.0.0.1'), 'an address is not public'],
    ['unresolved', answers(), 'the name has no address'],
  ])('fails with ReceiverRefused: %s', async (why, resolve, reason) => {
    const url = await serveHttp((_, response) => response.end());

    const sending = sendGuarded(named(url), { resolve });

    await expect(sending).rejects.toBeInstanceOf(ReceiverRefused);
    await expect(sending).rejects.toMatchObject({
      name: 'ReceiverRefused',
      why,
      message: `receiver receiver.test refused: ${reason}`,
    });
  });

  it('has the error of the resolver as its cause', async () => {
    await expect(sendGuarded('http://receiver.test/', {})).rejects.toMatchObject({
      why: 'unresolved',
      cause: { message: 'looked up receiver.test' },
    });
  });

  it.each([
    ['http://receiver.test/', 80],
    ['https://receiver.test/', 443],
    ['https://receiver.test:8443/', 8443],
  ])('connects to the port of %s at no more than the first four addresses', async (url, port) => {
    const opened: unknown[] = [];
    const resolve = answers('9.9.9.1', '9.9.9.2', '9.9.9.3', '2606:4700::4', '9.9.9.5');

    const sending = sendGuarded(url, {
      resolve,
      openSocket: (to) => {
        opened.push(to);
        return failing(`E${opened.length}`);
      },
    });

    await expect(sending).rejects.toMatchObject({ code: 'E4' });
    expect(opened).toEqual([
      { host: '9.9.9.1', port },
      { host: '9.9.9.2', port },
      { host: '9.9.9.3', port },
      { host: '2606:4700::4', port },
    ]);
  });

  it('tries the next address if one refuses', async () => {
    const url = await serveHttp((_, response) => response.end('hello'));

    expect(await sendGuarded(named(url), { resolve: answers('::1', '127.0.0.1') })).toMatchObject({
      text: 'hello',
    });
  });

  it('tries the next address if one does not answer', async () => {
    const url = await serveHttp((_, response) => response.end('hello'));
    const silent = new Socket();

    const { text } = await sendGuarded(named(url), {
      resolve: answers('9.9.9.9', '127.0.0.1'),
      connectTimeoutMs: 1_000,
      openSocket: (to) => (to.host === '9.9.9.9' ? silent : connect(to)),
    });

    expect(text).toBe('hello');
    expect(silent.destroyed).toBe(true);
  });

  it('refuses a connection to another address before it sends a byte', async () => {
    const received = Promise.withResolvers<string>();
    const url = await serveSocket((socket) => {
      let text = '';
      socket
        .on('data', (chunk) => (text += String(chunk)))
        .once('close', () => received.resolve(text));
    });
    const opened: string[] = [];

    const sending = sendGuarded(named(url), {
      resolve: answers('127.0.0.9', '127.0.0.1'),
      openSocket: ({ host, port }) => {
        opened.push(host);
        return connect(port, '127.0.0.1');
      },
    });

    await expect(sending).rejects.toMatchObject({ name: 'ReceiverRefused', why: 'notPublic' });
    expect(await received.promise).toBe('');
    expect(opened).toEqual(['127.0.0.9']);
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    let connectionCount = 0;
    const elsewhere = await serveSocket(() => (connectionCount += 1));
    const url = await serveHttp((_, response) =>
      response.writeHead(status, { location: elsewhere }).end(),
    );

    const answer = await sendGuarded(url, {});

    expect(answer.status).toBe(status);
    expect(connectionCount).toBe(0);
  });
});

describe('connectTimeoutMs', () => {
  it('includes the resolving', async () => {
    const resolve: Resolve = async (_, signal) => {
      await once(signal, 'abort');
      throw signal.reason;
    };

    const sending = sendGuarded('http://receiver.test/', { resolve, connectTimeoutMs: 20 });

    await expect(sending).rejects.toBeInstanceOf(errors.ConnectTimeoutError);
    await expect(sending).rejects.toMatchObject({ cause: { name: 'TimeoutError' } });
  });

  it('begins no connection after it', async () => {
    const opened: unknown[] = [];
    const resolve: Resolve = async (_, signal) => {
      await once(signal, 'abort');
      return ['127.0.0.1'];
    };

    const sending = sendGuarded('http://receiver.test/', {
      resolve,
      connectTimeoutMs: 20,
      openSocket: (to) => {
        opened.push(to);
        return failing('opened');
      },
    });

    await expect(sending).rejects.toMatchObject({
      message: 'no connection to receiver.test in time',
    });
    expect(opened).toEqual([]);
  });

  it.each([[['9.9.9.9']], [['9.9.9.9', '8.8.8.8']]])(
    'includes connecting to %j',
    async (addresses) => {
      const opened: Socket[] = [];

      const sending = sendGuarded('http://receiver.test/', {
        resolve: answers(...addresses),
        connectTimeoutMs: 20,
        openSocket: () => {
          const socket = new Socket();
          opened.push(socket);
          return socket;
        },
      });

      await expect(sending).rejects.toBeInstanceOf(errors.ConnectTimeoutError);
      expect(opened.map((socket) => socket.destroyed)).not.toContain(false);
    },
  );

  it('includes the TLS handshake, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serveSocket((socket) => {
      socket.resume().once('close', () => closed.resolve());
    });

    const sending = sendGuarded(url.replace('http:', 'https:'), { connectTimeoutMs: 300 });

    await expect(sending).rejects.toBeInstanceOf(errors.ConnectTimeoutError);
    await closed.promise;
  });

  it('does not limit the answer', async () => {
    const waiting = Promise.withResolvers<() => void>();
    const url = await serveHttp((_, response) => waiting.resolve(() => response.end('late')));
    const resolved = Promise.withResolvers<AbortSignal>();

    const sending = sendGuarded(named(url), {
      connectTimeoutMs: 1_000,
      resolve: async (_, signal) => {
        resolved.resolve(signal);
        return ['127.0.0.1'];
      },
    });
    const answer = await waiting.promise;
    await once(await resolved.promise, 'abort');
    answer();

    expect(await sending).toEqual({ status: 200, text: 'late' });
  });
});
