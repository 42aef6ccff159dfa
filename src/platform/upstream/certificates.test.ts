import { createServer, type Server, type Socket, type AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { selfSigned } from '../../../test/support/self-signed.ts';
import { VerifyingClient } from '../database/postgresql/pool.ts';
import { redisTls } from '../redis/connection.ts';
import { exchange } from './exchange.ts';
import { createUpstreamAgent } from './upstream-agent.ts';

/** A server with a certificate that no authority has signed; after the answer `S`, as PostgreSQL does it. */
async function serveSelfSigned(asPostgresql = false): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    const secure = (): void => {
      new TLSSocket(socket, { isServer: true, ...selfSigned }).on('error', () => {});
    };
    if (!asPostgresql) return secure();
    socket.once('data', () => {
      socket.write('S');
      secure();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await server[Symbol.asyncDispose]();
  });
  return (server.address() as AddressInfo).port;
}

function ignoreCertificates(): void {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe('certificates are verified although NODE_TLS_REJECT_UNAUTHORIZED is 0', () => {
  it('of an upstream', async () => {
    const url = `https://127.0.0.1:${await serveSelfSigned()}/`;
    const agent = createUpstreamAgent({ connections: 1 });
    onTestFinished(async () => agent.destroy());
    ignoreCertificates();

    const asked = exchange(
      agent,
      {
        upstream: 'ecb',
        operation: 'query',
        url,
        method: 'GET',
        headers: {},
        userAgent: 'vatfx/test',
        deadlineMs: 10_000,
        bodyBytesMax: 1,
        signal: new AbortController().signal,
      },
      async () => {},
    );

    await expect(asked).rejects.toMatchObject({
      kind: 'network',
      message: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
    });
  });

  it.each(['?sslmode=require', '?sslmode=verify-full', '?ssl=true', '?sslrootcert=/dev/null'])(
    'of PostgreSQL with %s',
    async (query) => {
      const port = await serveSelfSigned(true);
      ignoreCertificates();
      const client = new VerifyingClient(`postgres://me@127.0.0.1:${port}/x${query}`);
      client.on('error', () => {});

      await expect(client.connect()).rejects.toThrow(/self-signed certificate|unable to get/);
    },
  );

  it.each(['rediss', 'REDISS'])('of Redis with %s://', async (protocol) => {
    const url = `${protocol}://127.0.0.1:${await serveSelfSigned()}`;
    ignoreCertificates();
    const redis = new Redis(url, {
      ...redisTls(url),
      lazyConnect: true,
      retryStrategy: () => null,
    });
    onTestFinished(() => redis.disconnect());
    const lost = Promise.withResolvers<Error>();
    redis.on('error', lost.resolve);
    redis.connect().catch(() => {});

    expect(await lost.promise).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });
});
