import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** Counts the connections to this machine, by whichever of its addresses, at a port of its own until the test ends. */
export async function countConnections(): Promise<{ readonly port: number; count: number }> {
  const server = createServer((socket) => {
    listener.count += 1;
    socket.destroy();
  });
  // Without IPv6 there are no connections over it either.
  server.once('error', () => server.listen(0, '0.0.0.0'));
  server.listen(0, '::');
  await once(server, 'listening');
  onTestFinished(async () => server[Symbol.asyncDispose]());
  const listener = { port: (server.address() as AddressInfo).port, count: 0 };
  return listener;
}
