import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Serves HTTP on a free loopback port until the test ends; returns the address, without a slash. */
export async function serveHttp(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await listen(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    await server[Symbol.asyncDispose]();
  });
  return addressOf(server.address());
}

/** The same for a plain TCP server; the test writes into its sockets. */
export async function serveSocket(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  await listen(server);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await server[Symbol.asyncDispose]();
  });
  return addressOf(server.address());
}

/** An address of this machine without a listener. */
export async function unusedAddress(): Promise<string> {
  const server = createSocketServer();
  await listen(server);
  const address = addressOf(server.address());
  await server[Symbol.asyncDispose]();
  return address;
}

async function listen(server: {
  listen(port: number, host: string, done: () => void): unknown;
}): Promise<void> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
}

function addressOf(address: AddressInfo | string | null): string {
  return `http://127.0.0.1:${(address as AddressInfo).port}`;
}
