import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createGuard } from '../../../test/support/create-guard.ts';

/** Opens connections to a guarded server; the clients read nothing. */
async function openGuarded(listener: RequestListener) {
  const server = createServer(listener);
  onTestFinished(createGuard().watch(server));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return async (path: string): Promise<Socket> => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
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
