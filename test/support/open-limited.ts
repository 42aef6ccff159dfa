import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import {
  ConnectionLimits,
  type ConnectionLimitsParts,
} from '../../src/platform/connections/connection-limits.ts';
import { createMetrics } from '../../src/platform/metrics.ts';

type Options = Partial<
  Pick<
    ConnectionLimitsParts,
    'connectionsMax' | 'perAddressMax' | 'trustedProxies' | 'limits' | 'nowMs'
  >
>;

/** Limits with a log and metrics of their own, which watch no server yet. */
export function createLimits(options: Options = {}) {
  const lines: string[] = [];
  const metrics = createMetrics();
  const limits = new ConnectionLimits({
    port: 'api',
    connectionsMax: 10_000,
    perAddressMax: 10_000,
    trustedProxies: [],
    ...options,
    log: pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) }),
    metrics,
  });
  /** Number of ended connections by reason; reasons without any are left out. */
  const ended = async (): Promise<Readonly<Record<string, number>>> => {
    const { values } = await metrics.closedConnections.get();
    const some = values.filter(({ value }) => value > 0);
    return Object.fromEntries(some.map(({ labels, value }) => [labels.reason, value]));
  };
  const open = async (): Promise<number | undefined> =>
    (await metrics.openConnections.get()).values[0]?.value;
  return { limits, lines, ended, open };
}

/** A plain server whose connections are limited; it ends with the test. */
export async function openLimited(listener: RequestListener, options: Options = {}) {
  const created = createLimits(options);
  const server = createServer(listener);
  created.limits.guard(server);
  onTestFinished(created.limits.watch(server));
  await listen(server);
  const { port } = server.address() as AddressInfo;
  /** Opens a connection, from another address of this machine if one is given; returns both ends. */
  const dial = async (localAddress = '127.0.0.1'): Promise<{ client: Socket; end: Socket }> => {
    const client = connect({ port, host: '127.0.0.1', localAddress });
    client.on('error', () => {});
    onTestFinished(() => void client.destroy());
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const [[end]] = await Promise.all([accepted, once(client, 'connect')]);
    return { client, end };
  };
  return { ...created, port, dial };
}

async function listen(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await server[Symbol.asyncDispose]();
  });
}
