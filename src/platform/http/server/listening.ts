import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as afterReading } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { FastPath } from '../../fast-path/fast-path.ts';
import type { Log } from '../../log.ts';
import { withTimeout } from '../../with-timeout.ts';

/** What is left of the 30 s of a stop for requests that are being answered (operator.md). */
const closeMs = 25_000;
/** How long a connection is given for the request that may be on its way. */
const lastRequestMs = 1_000;
/** How long a moment is waited for in which nothing arrives. */
const quietMs = 3_000;

/** Listens and gives the address, or says in an operator's words why it cannot. */
export async function listen(
  app: FastifyInstance,
  setting: 'PORT' | 'OPS_PORT',
  address: { readonly host: string; readonly port: number },
): Promise<string> {
  try {
    return await app.listen(address);
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    if (!isTaken) throw cause;
    const sentence = `${address.host}:${address.port} is taken by another process; set ${setting}`;
    throw Object.assign(new Error(sentence, { cause }), { code: 'EADDRINUSE' });
  }
}

/**
 * Closes the API without losing a request: when those under way are answered, or when their time is up.
 *
 * Nobody new is let in from the first moment on. Connections that seem idle may have a request on its way: each
 * has a moment for a last one, whose answer asks to close it. What is idle after that is closed.
 */
export async function closeWithin(
  api: FastifyInstance,
  fastPath: FastPath | undefined,
  log: Log,
): Promise<void> {
  const { server } = api;
  const timer = setTimeout(() => {
    log.warn('requests were still running at the end of the stop');
    server.closeAllConnections();
    fastPath?.close();
  }, closeMs);
  await untilQuiet(server, fastPath);
  const closed = stopListening(server);
  await withTimeout(lastRequestMs, closed).catch(() => {});
  await untilQuiet(server, fastPath);
  const closeIdle = (): void => {
    server.closeIdleConnections();
    fastPath?.closeIdle();
  };
  closeIdle();
  // A request that came late leaves its connection open when it is answered.
  const sweep = setInterval(closeIdle, 100);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
  fastPath?.close();
  await api.close();
}

/** Like `server.close()`, which would close idle connections at once; resolves when the last one is closed. */
async function stopListening(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
}

/**
 * Waits for a turn of the event loop in which nothing arrived, though not for long.
 *
 * The kernel resets connections that nobody has accepted when listening ends, and those that are closed with
 * bytes that nobody has read; a turn accepts one connection.
 */
async function untilQuiet(server: Server, fastPath: FastPath | undefined): Promise<void> {
  let arrived = 0;
  const count = (): void => void (arrived += 1);
  server.on('connection', count).on('request', count);
  const deadlineMs = performance.now() + quietMs;
  let before = -1;
  // What is left of this turn looks for nobody.
  await afterReading();
  const all = (): number => arrived + (fastPath?.arrived ?? 0);
  while (all() !== before && performance.now() < deadlineMs) {
    before = all();
    await afterReading();
  }
  server.off('connection', count).off('request', count);
}
