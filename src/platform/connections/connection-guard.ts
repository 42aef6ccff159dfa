import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { AnonymousConnections } from './anonymous-connections.ts';
import { EndedConnections, type EndReason } from './ended-connections.ts';

/** One in this many places is for connections that have not sent a working key yet. */
const introductionShare = 10;

export type ConnectionGuardParts = {
  /** The port, for metrics and the log. */
  readonly port: 'api' | 'operations';
  readonly connectionsMax: number;
  /** Networks of proxies, each of which stands for many clients. */
  readonly trustedProxies: readonly string[];
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'openConnections' | 'closedConnections'>;
  /** A monotonic time in milliseconds. */
  readonly nowMs: () => number;
};

/** An open connection. */
export type Connection = {
  readonly socket: Socket;
  readonly openedMs: number;
  /** Number of requests that are being answered. */
  underWay: number;
};

/**
 * Bounds the connections of a port: a new one replaces another if all places are taken.
 *
 * A connection is anonymous until a working key is sent on it; those of trusted proxies never are. It is idle while
 * none of its requests is being answered. The place is taken from the first of these that exists:
 *
 * 1. the oldest anonymous connection, idle or not, if more than a tenth of the places are anonymous;
 * 2. the connection with a key that has been idle longest;
 * 3. the oldest anonymous connection, which may be the new one;
 * 4. the new connection.
 *
 * So connections that are only held open lock no caller out. The tenth is for callers whose key is on its way: a client
 * that connects again and again takes the places of idle connections, not theirs. Room is made at the end of a turn of
 * the event loop, after all bytes that came before the new connection were read, because the end of a connection with
 * unread bytes is a reset.
 */
export class ConnectionGuard {
  readonly #parts: ConnectionGuardParts;
  readonly #open = new Map<Socket, Connection>();
  readonly #idle = new Set<Connection>();
  #newest: Connection[] = [];
  readonly anonymous: AnonymousConnections<Connection>;
  readonly ended: EndedConnections;

  constructor(parts: ConnectionGuardParts) {
    this.#parts = parts;
    this.ended = new EndedConnections(parts);
    this.anonymous = new AnonymousConnections(parts.trustedProxies);
  }

  /** All open connections. */
  all(): Iterable<Connection> {
    return this.#open.values();
  }

  /** Guards a server that does not listen yet, and follows the requests of `node:http`. */
  watch(server: Server): void {
    server.prependListener('connection', (socket: Socket) => this.#take(socket));
    server.prependListener('request', ({ socket }, response) => {
      this.begin(socket);
      response.once('close', () => this.answered(socket));
    });
  }

  /** Notes that a request came on a connection. Each call has one of `answered` after it. */
  begin(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
    connection.underWay += 1;
    this.#idle.delete(connection);
  }

  /** Notes that the answer to a request was sent, or is no longer needed. */
  answered(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
    connection.underWay -= 1;
    this.#putBack(connection);
  }

  /** Notes that a working key was sent on a connection. */
  recognise(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection === undefined || !this.anonymous.has(connection)) return;
    this.anonymous.remove(connection);
    this.#putBack(connection);
  }

  /** Ends a connection because of a limit. */
  end(connection: Connection, reason: EndReason): void {
    // Its `close` comes in a later turn of the event loop.
    if (!this.#remove(connection)) return;
    connection.socket.destroy();
    this.ended.count(reason);
  }

  #take(socket: Socket): void {
    const { connectionsMax, metrics, nowMs, port } = this.#parts;
    const connection: Connection = { socket, openedMs: nowMs(), underWay: 0 };
    this.#open.set(socket, connection);
    this.anonymous.add(connection);
    this.#putBack(connection);
    metrics.openConnections.inc({ port });
    socket.once('close', () => {
      this.#remove(connection);
      metrics.openConnections.dec({ port });
    });
    if (this.#open.size <= connectionsMax) return;
    if (this.#newest.length === 0) setImmediate(() => this.#makeRoom());
    this.#newest.push(connection);
  }

  #makeRoom(): void {
    const newest = this.#newest;
    this.#newest = [];
    while (this.#open.size > this.#parts.connectionsMax) {
      const connection = this.#findDispensable() ?? newest.pop();
      if (connection === undefined) return;
      this.end(connection, 'connections');
    }
  }

  #findDispensable(): Connection | undefined {
    const { anonymous } = this;
    const introductions = Math.ceil(this.#parts.connectionsMax / introductionShare);
    if (anonymous.size > introductions) return anonymous.oldest();
    for (const connection of this.#idle) {
      // Bytes that were read and wait for their turn are a request.
      if (connection.socket.readableLength === 0) return connection;
    }
    return anonymous.oldest();
  }

  /** Puts a connection with a key behind all others that are idle, if it is idle. */
  #putBack(connection: Connection): void {
    if (connection.underWay === 0 && !this.anonymous.has(connection)) this.#idle.add(connection);
  }

  /** False if it was removed before. */
  #remove(connection: Connection): boolean {
    this.anonymous.remove(connection);
    this.#idle.delete(connection);
    return this.#open.delete(connection.socket);
  }
}
