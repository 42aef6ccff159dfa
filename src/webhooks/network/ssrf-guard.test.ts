import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { errors } from 'undici';
import { describe, expect, it } from 'vitest';
import { serveHttp, serveSocket } from '../../../test/support/loopback-server.ts';
import { answers, sendGuarded } from '../../../test/support/send-guarded.ts';
import { createAddressPolicy } from './address-class.ts';
import type { Resolve } from './resolve.ts';
import { createSsrfGuard } from './ssrf-guard.ts';

const { signal: never } = new AbortController();

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
});

describe('SsrfGuard.connect (contract C30)', () => {
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
});

describe('connectTimeoutMs', () => {
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

  it('includes the TLS handshake, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serveSocket((socket) => {
      socket.resume().once('close', () => closed.resolve());
    });

    const sending = sendGuarded(url.replace('http:', 'https:'), { connectTimeoutMs: 300 });

    await expect(sending).rejects.toBeInstanceOf(errors.ConnectTimeoutError);
    await closed.promise;
  });
});
