import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { AnonymousConnections } from './anonymous-connections.ts';
import { EndedConnections, type EndReason } from './ended-connections.ts';
import { readKernelQueues } from './kernel-queues.ts';
import { type GateLimits, RequestGate } from './request-gate.ts';
import { WritingProgress } from './writing-progress.ts';

/** Limits that are not settings. */
type Limits = GateLimits & {
  /** Bytes of requests that are not begun and of answers that are not sent, on all connections of a port. */
  readonly heldInAllMax: number;
  /** A connection with unsent bytes ends if none of them has left for this long. */
  readonly stallMs: number;
  /** A connection has this long to send a working key before it counts against its address. */
  readonly introductionMs: number;
  /** If there are more anonymous connections, the kernel is queried about all of them. */
  readonly anonymousUncheckedMax: number;
};

const defaultLimits: Limits = {
  underWayMax: 16,
  underWayInAllMax: 2_048,
  unsentBytesMax: 65_536,
  heldInAllMax: 64 * 2 ** 20,
  stallMs: 10_000,
  introductionMs: 2_000,
  anonymousUncheckedMax: 100,
};

/** How often connections are checked. */
const sweepMs = 500;
/** How often the kernel is queried about connections that seem to stand still. */
const kernelEveryMs = 1_000;

export type ConnectionLimitsParts = {
  /** The port, for metrics and the log. */
  readonly port: 'api' | 'operations';
  readonly connectionsMax: number;
  /** Anonymous connections of one address. */
  readonly perAddressMax: number;
  /** Networks of proxies, each of which stands for many clients. */
  readonly trustedProxies: readonly string[];
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'openConnections' | 'closedConnections'>;
  /** Replaces some limits; for tests and the operations port. */
  readonly limits?: Partial<Limits>;
  /** A monotonic time in milliseconds. */
  readonly nowMs?: () => number;
};

type Connection = {
  readonly socket: Socket;
  readonly progress: WritingProgress;
  readonly openedMs: number;
  isOver: boolean;
};

/** A connection with bytes that are held for it. */
type Holding = {
  readonly connection: Connection;
  readonly bytes: number;
  readonly quietMs: number;
};

/**
 * Bounds the connections, the requests under way and the unread answers that clients can make a port hold. There is
 * one for each port, for the fast path and `node:http` together.
 *
 * A connection is anonymous until a working key is sent on it. If a client has more than `perAddressMax`
 * anonymous ones, its oldest end, but none that is younger than 2 s: a caller that opens a thousand connections in one
 * moment has the time to send its key on each. If there are more than `connectionsMax` connections, the oldest anonymous
 * one ends immediately, or the new one if none is anonymous. So a client that holds connections makes room for
 * others, and callers with a key lose none to it.
 *
 * Anonymous or not, a connection is in one of these states:
 *
 *     reading ──16 under way, or 64 KB unsent──▸ full ──one is answered──▸ reading
 *        └──bytes stay in the socket──▸ quiet ◂────┘
 *                                         ├──a byte leaves──▸ reading, or full
 *                                         └──10 s──▸ ended (unread)
 *
 * A full connection is not read (`request-gate.ts`). Only `node:http` has full connections: the fast path has at most
 * one request of a connection under way and does not read while answers are unsent. Progress means that bytes leave,
 * not that all have left: a reader of 20 KB/s gets its answer to the end (`writing-progress.ts`). If there are many
 * anonymous connections, those whose answers have left the process and stay in the kernel are quiet as well. If
 * connections hold more than 64 MB in total, those end first that have been quiet for longest, and of these those that
 * hold most (memory).
 *
 * The fast path does no work for this per answer: connections are checked twice a second.
 */
export class ConnectionLimits {
  readonly #parts: ConnectionLimitsParts;
  readonly #limits: Limits;
  readonly #nowMs: () => number;
  readonly #gate: RequestGate;
  readonly #open = new Map<Socket, Connection>();
  readonly #anonymous: AnonymousConnections<Connection>;
  readonly #ended: EndedConnections;
  #kernelReadAtMs = -Infinity;

  constructor(parts: ConnectionLimitsParts) {
    this.#parts = parts;
    this.#limits = { ...defaultLimits, ...parts.limits };
    this.#nowMs = parts.nowMs ?? (() => performance.now());
    this.#gate = new RequestGate(this.#limits);
    this.#anonymous = new AnonymousConnections(parts.trustedProxies);
    this.#ended = new EndedConnections(parts);
  }

  /** Bounds the requests under way. Call it before any other listener takes the connections of the server. */
  guard(server: Server): void {
    this.#gate.guard(server);
  }

  /** Counts and checks the connections of a server that does not listen yet; returns a function that ends this. */
  watch(server: Server): () => void {
    server.prependListener('connection', (socket: Socket) => this.#take(socket));
    const timer = setInterval(() => void this.sweep(), sweepMs).unref();
    return () => clearInterval(timer);
  }

  /** Notes that a working key was sent on a connection. */
  readonly recognise = (socket: Socket): void => {
    const connection = this.#open.get(socket);
    if (connection !== undefined) this.#anonymous.remove(connection);
  };

  /** Ends connections that exceed a limit; `watch` calls it. */
  async sweep(): Promise<void> {
    const nowMs = this.#nowMs();
    const { perAddressMax } = this.#parts;
    const introducedMs = nowMs - this.#limits.introductionMs;
    for (const connection of this.#anonymous.listExcess(perAddressMax, introducedMs)) {
      this.#end(connection, 'address');
    }
    const holding = this.#listHolding(nowMs);
    this.#freeMemory(holding);
    this.#ended.log(nowMs);
    const still = holding.filter(({ quietMs }) => quietMs >= this.#limits.stallMs / 2);
    const doubtful = new Set(still.map(({ connection }) => connection));
    if (this.#anonymous.size > this.#limits.anonymousUncheckedMax) {
      for (const connection of this.#anonymous.all()) doubtful.add(connection);
    }
    await this.#endStill(doubtful);
  }

  #take(socket: Socket): void {
    const { connectionsMax, metrics, port } = this.#parts;
    const connection: Connection = {
      socket,
      progress: new WritingProgress(socket),
      openedMs: this.#nowMs(),
      isOver: false,
    };
    this.#open.set(socket, connection);
    this.#anonymous.add(connection);
    metrics.openConnections.inc({ port });
    socket.once('close', () => {
      connection.isOver = true;
      this.#open.delete(socket);
      this.#anonymous.remove(connection);
      metrics.openConnections.dec({ port });
    });
    if (this.#open.size > connectionsMax) {
      this.#end(this.#anonymous.oldest() ?? connection, 'connections');
    }
  }

  #listHolding(nowMs: number): Holding[] {
    const holding: Holding[] = [];
    for (const connection of this.#open.values()) {
      const { socket, progress } = connection;
      // For every connection, because progress is measured between two calls.
      const quietMs = progress.quietMs(nowMs);
      const unsentBytes = Math.max(socket.writableLength, this.#gate.unsentBytes(socket));
      const bytes = unsentBytes + socket.readableLength;
      if (bytes > 0) holding.push({ connection, bytes, quietMs });
    }
    return holding;
  }

  #freeMemory(holding: Holding[]): void {
    let inAll = holding.reduce((sum, { bytes }) => sum + bytes, 0);
    if (inAll <= this.#limits.heldInAllMax) return;
    holding.sort((a, b) => b.quietMs - a.quietMs || b.bytes - a.bytes);
    for (const { connection, bytes } of holding) {
      if (inAll <= this.#limits.heldInAllMax) break;
      inAll -= bytes;
      this.#end(connection, 'memory');
    }
  }

  #end(connection: Connection, reason: EndReason): void {
    if (connection.isOver) return;
    connection.isOver = true;
    // Its `close` comes in a later turn of the event loop.
    this.#open.delete(connection.socket);
    this.#anonymous.remove(connection);
    connection.socket.destroy();
    this.#ended.count(reason);
  }

  /** Ends connections whose bytes stand still, if the kernel confirms it. */
  async #endStill(connections: ReadonlySet<Connection>): Promise<void> {
    const { stallMs } = this.#limits;
    if (connections.size === 0) return;
    if (this.#nowMs() - this.#kernelReadAtMs < kernelEveryMs) return;
    this.#kernelReadAtMs = this.#nowMs();
    const queues = await readKernelQueues();
    const nowMs = this.#nowMs();
    for (const connection of connections) {
      const { progress, socket } = connection;
      if (queues !== undefined) progress.compare(queues(socket), nowMs);
      const isStill = queues === undefined || progress.isConfirmed;
      if (isStill && progress.quietMs(nowMs) >= stallMs) this.#end(connection, 'unread');
    }
  }
}
