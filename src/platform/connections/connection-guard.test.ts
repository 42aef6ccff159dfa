import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createGuard } from '../../../test/support/create-guard.ts';

/** A guarded server. */
async function openServer(listener: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(listener);
  onTestFinished(createGuard().watch(server));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { server, port: (server.address() as AddressInfo).port };
}

const countConnections = async (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.getConnections((_error, count) => resolve(count));
  });

/** Opens connections to a guarded server; the clients read nothing. */
async function openGuarded(listener: RequestListener) {
  const { server, port } = await openServer(listener);
  return async (path: string): Promise<Socket> => {
    const client = connect(port, '127.0.0.1');
    onTestFinished(() => void client.destroy());
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    client.pause().write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const [end] = await accepted;
    await once(server, 'request');
    return end;
  };
}

it('ends a connection whose answer is not read, and one that is idle, but none whose answer is being made', async () => {
  const open = await openGuarded(({ url }, response) => {
    if (url === '/large') response.end('x'.repeat(20_000_000));
    if (url === '/small') response.end('x');
  });
  const [large, small, slow] = [await open('/large'), await open('/small'), await open('/slow')];
  await vi.waitUntil(() => large.writableLength > 0 && small.writableLength === 0);

  for (const socket of [large, small, slow]) socket.emit('timeout');

  expect([large, small, slow].map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
});

it('begins one request of a connection in each turn of the event loop', async () => {
  const turns = [0];
  const { port } = await openServer((_request, response) => {
    if (turns.at(-1) === 0) setImmediate(() => turns.push(0));
    turns.push((turns.pop() ?? 0) + 1);
    response.end();
  });
  const client = connect(port, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  let received = '';
  client.on('data', (chunk: Buffer) => (received += chunk.toString()));

  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20));
  await vi.waitUntil(() => received.match(/HTTP\/1\.1 200/g)?.length === 20);

  expect(Math.max(...turns)).toBe(1);
});

it('reads the others without a key one in each turn after one has sent too many requests', async () => {
  const turns: Socket[][] = [[]];
  const { port, server } = await openServer(({ socket }, response) => {
    const turn = turns.at(-1);
    if (turn?.length === 0) setImmediate(() => turns.push([]));
    if (turn?.includes(socket) === false) turn.push(socket);
    response.end();
  });
  const clients = Array.from({ length: 12 }, () => connect(port, '127.0.0.1'));
  onTestFinished(() => clients.forEach((client) => client.destroy()));
  for (const client of clients) client.on('error', () => {});
  await vi.waitUntil(async () => (await countConnections(server)) === clients.length);

  for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100));
  await vi.waitUntil(async () => (await countConnections(server)) === 0);

  expect(new Set(turns.flat()).size).toBe(clients.length);
  expect(Math.max(...turns.map(({ length }) => length))).toBe(1);
});
