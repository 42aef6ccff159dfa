import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { selfSigned } from '../../support/self-signed.ts';

/** Puts TLS in front of a server of this machine that has none; this process trusts it from now on. */
export async function startTlsFront(
  toPort: number,
): Promise<{ readonly port: number } & AsyncDisposable> {
  setDefaultCACertificates([...getCACertificates('default'), selfSigned.cert]);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket
      .on('error', () => {})
      .once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
  };
  const server = createServer(selfSigned, (near) => {
    const far = connect(toPort, '127.0.0.1');
    keep(near, far);
    keep(far, near);
    near.pipe(far).pipe(near);
  });
  // A damaged handshake fails.
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}
