import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as afterReading } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../../log/log.ts';
import { withTimeout } from '../../time/timers.ts';
import { hostInUrl } from '../network.ts';
import { listenError, type Place, withoutIpv6 } from './place.ts';

/** Time for requests under way, within the 30 s of a stop (operator.md). */
const closeMs = 25_000;
/** Time for a last request that may already be on its way to an idle connection. */
const lastRequestMs = 1_000;
/** How long to wait for a turn of the event loop in which nothing arrives. */
const quietMs = 3_000;

/** Listens and returns the address, or throws an error that names the settings to change. */
export async function listen(app: FastifyInstance, place: Place): Promise<string> {
  try {
    return await app.listen({ host: place.host, port: place.port });
  } catch (error) {
    const host = withoutIpv6(place.host, error);
    if (host !== undefined) return listen(app, { ...place, host });
    throw listenError(place, error);
  }
}

/**
 * Replaces the host of a URL for the log: the URL of a port that listens on every address names a loopback address,
 * which is wrong outside a container.
 */
export function withHost(url: string, host: string): string {
  // Without IPv6 the URL has a loopback address of IPv4.
  const listening = host === '::' && !url.includes('[') ? '0.0.0.0' : host;
  return url.replace(/^http:.*(?=:\d+$)/, `http://${hostInUrl(listening)}`);
}

/**
 * Closes the API without losing a request: when all requests under way are answered, or after 25 s.
 *
 * First it accepts the connections that have already arrived, then it stops listening. A connection that seems idle may
 * have a request on its way, so each gets one second for a last request, whose answer has `Connection: close`.
 * Then idle ones are closed.
 */
export async function closeWithin(api: FastifyInstance, log: Log): Promise<void> {
  const { server } = api;
  const timer = setTimeout(() => {
    log.warn('requests were still running at the end of the stop');
    server.closeAllConnections();
  }, closeMs);
  await untilQuiet(server);
  const closed = stopListening(server);
  await withTimeout(lastRequestMs, closed).catch(() => {});
  await untilQuiet(server);
  server.closeIdleConnections();
  // The connection of a request that came late stays open after its answer.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
  await api.close();
}

/** Like `server.close()`, but without closing idle connections; resolves when the last connection is closed. */
async function stopListening(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
}

/**
 * Waits for a turn of the event loop in which nothing arrived, 3 s at most.
 *
 * When listening ends, the kernel resets connections that are not accepted yet; when a connection is closed with
 * unread bytes, it resets that one. One turn accepts one connection.
 */
async function untilQuiet(server: Server): Promise<void> {
  let arrived = 0;
  const count = (): void => void (arrived += 1);
  server.on('connection', count).on('request', count);
  const deadlineMs = performance.now() + quietMs;
  let before = -1;
  // No connection is accepted in the rest of this turn.
  await afterReading();
  while (arrived !== before && performance.now() < deadlineMs) {
    before = arrived;
    await afterReading();
  }
  server.off('connection', count).off('request', count);
}
