import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config/options.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics.ts';
import { roomFor } from './open-files.ts';

/** Requests of one connection that wait behind another one (pipelining, RFC 9112 §9.3.2). */
const waitingMax = 64;
/** While more than this wait on all connections, one connection may have only a few of them: each takes some 10 KB. */
const waitingInAllMax = 2_048;
const fewWaiting = 4;
/** A connection with unsent bytes ends if the kernel takes none of them for this long. */
const stallMs = 30_000;
/** A connection on which no working key was sent ends at this age, as soon as no request is under way. */
const anonymousMs = 45_000;
/** One in this many places is for connections that have not sent a working key yet. */
const introductionShare = 10;
const sweepMs = 5_000;
/** Each reason is logged at most this often. */
const logEveryMs = 60_000;

const reasons = ['connections', 'requests', 'unread', 'anonymous'] as const;
type EndReason = (typeof reasons)[number];

type Connection = {
  readonly openedMs: number;
  /** The answer to its last request. */
  last: ServerResponse | undefined;
  /** Number of requests whose answer waits for another one. */
  waiting: number;
};

type Parts = {
  readonly port: 'api' | 'operations';
  readonly connectionsMax: number;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'openConnections' | 'closedConnections'>;
};

/**
 * Bounds what the clients of a port can make it hold: connections, requests sent ahead, and answers that are not read.
 * Heads and bodies that come slowly are ended by the timeouts of `node:http`.
 *
 * If all places are taken, a new connection replaces another: the oldest without a key, if these are more than a tenth of
 * all; otherwise the one with a key that has been idle longest. So connections that are only held open lock no
 * caller out, and the tenth is for callers whose key is on its way.
 */
export class ConnectionGuard {
  readonly #parts: Parts;
  readonly #open = new Map<Socket, Connection>();
  /** In the order in which they were opened. */
  readonly #anonymous = new Set<Socket>();
  /** In the order of their last requests. */
  readonly #known = new Set<Socket>();
  readonly #unlogged = new Map<EndReason, number>();
  #loggedMs = -Infinity;
  #waitingInAll = 0;
  #isFull = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { port, metrics } = parts;
    // With a 0 from the first scrape on, the first connection that is ended is visible as a rate.
    for (const reason of reasons) metrics.closedConnections.inc({ port, reason }, 0);
  }

  /** Guards a server that does not listen yet and whose requests have one listener; returns a function that ends this. */
  watch(server: Server): () => void {
    const [answer, ...others] = server.listeners('request');
    if (answer === undefined || others.length > 0) throw new Error('requests have other listeners');
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      // The rest of a chunk is parsed after its connection was destroyed.
      if (this.#begin(request.socket, response)) answer.call(server, request, response);
    });
    server.prependListener('connection', (socket: Socket) => this.#take(socket));
    server.setTimeout(stallMs, (socket) => this.#onQuiet(socket));
    const timer = setInterval(() => this.#sweep(), sweepMs).unref();
    return () => clearInterval(timer);
  }

  /** Notes that a working key was sent on a connection. */
  recognise(socket: Socket): void {
    if (this.#anonymous.delete(socket)) this.#known.add(socket);
  }

  /** Whether an answer on a connection is not sent yet. */
  isAnswering(socket: Socket): boolean {
    return this.#open.get(socket)?.last?.writableFinished === false;
  }

  #take(socket: Socket): void {
    const { port, metrics, connectionsMax } = this.#parts;
    this.#open.set(socket, { openedMs: performance.now(), last: undefined, waiting: 0 });
    this.#anonymous.add(socket);
    metrics.openConnections.inc({ port });
    socket.once('close', () => {
      this.#remove(socket);
      metrics.openConnections.dec({ port });
    });
    if (this.#open.size <= connectionsMax || this.#isFull) return;
    this.#isFull = true;
    // After all bytes that came before are read: the end of a connection with unread bytes is a reset.
    setImmediate(() => this.#makeRoom());
  }

  /** Whether a request may be answered. */
  #begin(socket: Socket, response: ServerResponse): boolean {
    const connection = this.#open.get(socket);
    if (connection === undefined) return !socket.destroyed;
    connection.last = response;
    if (this.#known.delete(socket)) this.#known.add(socket);
    if (response.socket !== null) return true;
    const most = this.#waitingInAll < waitingInAllMax ? waitingMax : fewWaiting;
    if (connection.waiting >= most) {
      withoutStacks(socket);
      this.#end(socket, 'requests');
      return false;
    }
    connection.waiting += 1;
    this.#waitingInAll += 1;
    response.once('close', () => {
      connection.waiting -= 1;
      this.#waitingInAll -= 1;
    });
    return true;
  }

  /** Nothing has moved on a connection for `stallMs`, or for the keep-alive time after an answer. */
  #onQuiet(socket: Socket): void {
    if (!this.isAnswering(socket)) socket.destroy();
    else if (socket.writableLength > 0) this.#end(socket, 'unread');
  }

  #makeRoom(): void {
    this.#isFull = false;
    const { connectionsMax } = this.#parts;
    const introductions = Math.ceil(connectionsMax / introductionShare);
    while (this.#open.size > connectionsMax) {
      const [oldest] = this.#anonymous;
      const idle = this.#anonymous.size > introductions ? undefined : this.#findIdle();
      const dispensable = idle ?? oldest;
      if (dispensable === undefined) return;
      this.#end(dispensable, 'connections');
    }
  }

  #findIdle(): Socket | undefined {
    for (const socket of this.#known) if (!this.isAnswering(socket)) return socket;
    return undefined;
  }

  #sweep(): void {
    const nowMs = performance.now();
    for (const socket of this.#anonymous) {
      if (nowMs - (this.#open.get(socket)?.openedMs ?? nowMs) < anonymousMs) break;
      if (!this.isAnswering(socket)) this.#end(socket, 'anonymous');
    }
    if (nowMs - this.#loggedMs < logEveryMs || this.#unlogged.size === 0) return;
    this.#loggedMs = nowMs;
    const { port, log } = this.#parts;
    for (const [reason, count] of this.#unlogged) {
      log.warn({ port, reason, count }, 'connections ended by their limits');
    }
    this.#unlogged.clear();
  }

  #end(socket: Socket, reason: EndReason): void {
    this.#remove(socket);
    socket.destroy();
    const { port, metrics } = this.#parts;
    metrics.closedConnections.inc({ port, reason });
    this.#unlogged.set(reason, (this.#unlogged.get(reason) ?? 0) + 1);
  }

  #remove(socket: Socket): void {
    this.#open.delete(socket);
    this.#anonymous.delete(socket);
    this.#known.delete(socket);
  }
}

/**
 * Node makes an error for each unanswered request of a socket that closes. A chunk has up to 1,700 of them, and nearly
 * all of the time would go into their stacks, which no code reads.
 */
function withoutStacks(socket: Socket): void {
  const { stackTraceLimit } = Error;
  socket.prependOnceListener('close', () => (Error.stackTraceLimit = 0));
  socket.once('close', () => (Error.stackTraceLimit = stackTraceLimit));
}

/** Connections of the operations port, which has few callers. */
const operationsMax = 256;

/** The guards of both ports, which watch no server yet. Logs a warning if there is room for fewer connections than set. */
export function createConnectionGuards(parts: {
  readonly config: Pick<Config, 'maxConnections'>;
  readonly log: Log;
  readonly metrics: Metrics;
}): { readonly api: ConnectionGuard; readonly operations: ConnectionGuard } {
  const { config, log, metrics } = parts;
  const { maxConnections } = config;
  const { connectionsMax, filesMax } = roomFor(maxConnections);
  if (connectionsMax < maxConnections) {
    log.warn(
      { connectionsMax, maxConnections, filesMax },
      'fewer connections than MAX_CONNECTIONS, because the process may open too few files',
    );
  }
  return {
    api: new ConnectionGuard({ port: 'api', connectionsMax, log, metrics }),
    operations: new ConnectionGuard({
      port: 'operations',
      connectionsMax: operationsMax,
      log,
      metrics,
    }),
  };
}
