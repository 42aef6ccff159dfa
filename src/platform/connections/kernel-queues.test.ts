import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readKernelQueues } from './kernel-queues.ts';

/** Both ends of a connection to a server on `host`, whose client does not read. */
async function dial(host: string, to: string): Promise<{ end: Socket; client: Socket }> {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, to);
  client.pause();
  const [end] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    client.destroy();
    end.destroy();
    server.close();
  });
  return { end, client };
}

describe.skipIf(process.platform !== 'linux')('readKernelQueues (Linux)', () => {
  it.each([
    ['IPv4', '127.0.0.1', '127.0.0.1'],
    ['IPv6', '::1', '::1'],
    ['IPv4 at a server of both', '::', '127.0.0.1'],
  ])('reads the bytes that the other end has not acknowledged, over %s', async (_way, host, to) => {
    const { end, client } = await dial(host, to);

    end.write(Buffer.alloc(16_000_000));
    await expect.poll(async () => (await readKernelQueues())?.(end)).toBeGreaterThan(100_000);
    client.resume();

    await expect.poll(async () => (await readKernelQueues())?.(end)).toBe(0);
  });
});
