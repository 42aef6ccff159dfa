import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { Secret } from '../../src/platform/config/secret.ts';
import type { Proxy } from '../../src/platform/upstream/proxy.ts';

/** A proxy on a free port of this machine that takes every host for 127.0.0.1, until the test ends. */
export type ProxyServer = {
  readonly proxy: Proxy;
  /** `HTTP/1.1 CONNECT tedb.test:443` or `GET http://tedb.test/`, one for each request. */
  readonly asked: string[];
  /** Open connections to the proxy. */
  readonly sockets: ReadonlySet<Socket>;
};

/** Makes the setting of a proxy. */
export function proxyAt(url: string, variable: Proxy['variable'] = 'HTTPS_PROXY'): Proxy {
  return { variable, url: new Secret(url, 'hidden') };
}

/** Serves CONNECT only; `onTunnel` may break the tunnel. */
export async function serveProxy(
  onTunnel: (client: Socket, server: Socket) => void = () => {},
): Promise<ProxyServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    asked.push(`${url} ${headers['proxy-authorization'] ?? ''}`.trim());
    const behind = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(behind).pipe(client);
      onTunnel(client, behind);
    });
    behind.on('error', () => client.destroy());
    client.once('close', () => behind.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await server[Symbol.asyncDispose]();
  });
  const { port } = server.address() as AddressInfo;
  return { proxy: proxyAt(`http://me:pass%40word@127.0.0.1:${port}`), asked, sockets };
}
