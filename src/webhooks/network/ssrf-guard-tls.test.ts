import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { selfSigned } from '../../../test/support/self-signed.ts';
import { answers, sendGuarded } from '../../../test/support/send-guarded.ts';

type TlsServer = { readonly port: number; readonly closed: Promise<void> };

/** Answers every request with the negotiated server name and protocol. */
async function serveTls(): Promise<TlsServer> {
  const closed = Promise.withResolvers<void>();
  const sockets = new Set<TLSSocket>();
  const server = createServer({ ...selfSigned, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      const text = `${String(socket.servername)} ${String(socket.alpnProtocol)}`;
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
    });
  });
  server.on('connection', (socket) => socket.once('close', () => closed.resolve()));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await server[Symbol.asyncDispose]();
  });
  return { port: (server.address() as AddressInfo).port, closed: closed.promise };
}

describe('SsrfGuard.connect over TLS (contract C30)', () => {
  it('sends and verifies the name, connected to its address', async () => {
    const { port } = await serveTls();

    const answer = await sendGuarded(`https://receiver.test:${port}/`, {
      resolve: answers('127.0.0.1'),
      tls: { ca: selfSigned.cert },
    });

    expect(answer).toEqual({ status: 200, text: 'receiver.test http/1.1' });
  });

  it('verifies an address, and sends no server name', async () => {
    const { port } = await serveTls();

    const { text } = await sendGuarded(`https://127.0.0.1:${port}/`, {
      tls: { ca: selfSigned.cert },
    });

    expect(text).toBe('false http/1.1');
  });

  it.each([
    ['of an unknown authority', 'receiver.test', {}, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['for another name', 'other.test', { ca: selfSigned.cert }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('refuses a certificate %s, and closes the connection', async (_, host, tls, code) => {
    const { port, closed } = await serveTls();

    const sending = sendGuarded(`https://${host}:${port}/`, {
      resolve: answers('127.0.0.1'),
      tls,
    });

    await expect(sending).rejects.toMatchObject({ code });
    await closed;
  });

  it('verifies even if the environment turns verification off', async () => {
    const { port } = await serveTls();
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    onTestFinished(() => void delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);

    const sending = sendGuarded(`https://receiver.test:${port}/`, {
      resolve: answers('127.0.0.1'),
    });

    await expect(sending).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });

  it('verifies even if an option turns verification off', async () => {
    const { port } = await serveTls();
    const tls = { minVersion: 'TLSv1.2', rejectUnauthorized: false } as const;

    const sending = sendGuarded(`https://receiver.test:${port}/`, {
      resolve: answers('127.0.0.1'),
      tls,
    });

    await expect(sending).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });
});
