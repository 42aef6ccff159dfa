import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Connection, ConnectionGuard, type ConnectionGuardParts } from './connection-guard.ts';
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

export type ConnectionLimitsParts = Omit<ConnectionGuardParts, 'nowMs'> & {
  /** Anonymous connections of one address. */
  readonly perAddressMax: number;
  /** Replaces some limits; for tests and the operations port. */
  readonly limits?: Partial<Limits>;
  /** A monotonic time in milliseconds. */
  readonly nowMs?: () => number;
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
 * The number of all connections is bounded by `connections` (`connection-guard.ts`). If a client has more than
 * `perAddressMax` anonymous ones, its oldest end, but none that is younger than 2 s: a caller that opens a thousand
 * connections in one moment has the time to send its key on each.
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
 * hold most (memory). This is checked twice a second, without work for each answer.
 */
export class ConnectionLimits {
  readonly connections: ConnectionGuard;
  readonly #perAddressMax: number;
  readonly #limits: Limits;
  readonly #nowMs: () => number;
  readonly #gate: RequestGate;
  readonly #progress = new WeakMap<Socket, WritingProgress>();
  #kernelReadAtMs = -Infinity;

  constructor(parts: ConnectionLimitsParts) {
    this.#perAddressMax = parts.perAddressMax;
    this.#limits = { ...defaultLimits, ...parts.limits };
    this.#nowMs = parts.nowMs ?? (() => performance.now());
    this.#gate = new RequestGate(this.#limits);
    this.connections = new ConnectionGuard({ ...parts, nowMs: this.#nowMs });
  }

  /** Bounds the requests under way. Call it before any other listener takes the connections of the server. */
  guard(server: Server): void {
    this.#gate.guard(server);
  }

  /** Counts and checks the connections of a server that does not listen yet; returns a function that ends this. */
  watch(server: Server): () => void {
    this.connections.watch(server);
    const timer = setInterval(() => void this.sweep(), sweepMs).unref();
    return () => clearInterval(timer);
  }

  /** Ends connections that exceed a limit; `watch` calls it. */
  async sweep(): Promise<void> {
    const nowMs = this.#nowMs();
    const { anonymous } = this.connections;
    const introducedMs = nowMs - this.#limits.introductionMs;
    for (const connection of anonymous.listExcess(this.#perAddressMax, introducedMs)) {
      this.connections.end(connection, 'address');
    }
    const holding = this.#listHolding(nowMs);
    this.#freeMemory(holding);
    this.connections.ended.log(nowMs);
    const still = holding.filter(({ quietMs }) => quietMs >= this.#limits.stallMs / 2);
    const doubtful = new Set(still.map(({ connection }) => connection));
    if (anonymous.size > this.#limits.anonymousUncheckedMax) {
      for (const connection of anonymous.all()) doubtful.add(connection);
    }
    await this.#endStill(doubtful);
  }

  #listHolding(nowMs: number): Holding[] {
    const holding: Holding[] = [];
    for (const connection of this.connections.all()) {
      const { socket } = connection;
      // For every connection, because progress is measured between two calls.
      const quietMs = this.#progressOf(socket).quietMs(nowMs);
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
      this.connections.end(connection, 'memory');
    }
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
      const { socket } = connection;
      const progress = this.#progressOf(socket);
      if (queues !== undefined) progress.compare(queues(socket), nowMs);
      const isStill = queues === undefined || progress.isConfirmed;
      if (isStill && progress.quietMs(nowMs) >= stallMs) this.connections.end(connection, 'unread');
    }
  }

  #progressOf(socket: Socket): WritingProgress {
    return this.#progress.getOrInsertComputed(socket, () => new WritingProgress(socket));
  }
}
