import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { takeConnections } from '../connections/take-connections.ts';
import { endWithError } from '../http/server/parser-errors.ts';
import { type ConnectionParts, FastConnection } from './connection.ts';

/** How often connections are checked for their timeouts. */
const sweepMs = 1_000;

/**
 * The fast path: answers cached routes before `node:http` and the framework, if `FAST_PATH` is on (operator.md).
 *
 * Every connection of the API begins here. If a chunk of bytes is exactly one whole GET that leaves no doubt
 * (`request-head.ts`), with a key that is known to work and a target of a cached route, the response is written
 * immediately: head and body in one write, without the parser, the router and the hooks.
 *
 * The fast path refuses no request. At anything else (an unknown key, another method, an unknown path or header, half
 * a head, two requests in one chunk) it hands the connection with all its bytes to `node:http`, permanently, as if
 * the connection had begun there. Keys, charges, cached routes, errors, metrics and the access log are the same
 * objects that the framework uses, and both ways answer with the same bytes.
 *
 * `node:http` takes such a connection by its listener of `connection`, an event that is documented to be emitted by
 * users. Bytes that were already read are put back with `unshift` before.
 */
export class FastPath {
  readonly #connections = new Set<FastConnection>();
  /**
   * Connections handed over before their first request, with the time when they were opened: the time limit for
   * the first request still holds.
   */
  readonly #unheard = new Map<Socket, number>();
  readonly #sweep: NodeJS.Timeout;
  #arrived = 0;

  /** Takes the connections of a server before it listens. */
  constructor(server: Server, parts: Omit<ConnectionParts, 'handOver'>) {
    const serve = takeConnections(server);
    const isClosing = (): boolean => {
      this.#arrived += 1;
      return parts.isClosing();
    };
    const handOver = (connection: FastConnection, unread: Buffer): void => {
      const { socket } = connection;
      connection.release();
      this.#connections.delete(connection);
      if (!connection.hasAnswered) this.#unheard.set(socket, connection.openedMs);
      // No bytes may arrive before the next owner listens.
      socket.pause();
      socket.unshift(unread);
      serve(socket);
      socket.resume();
    };
    const connectionParts = { ...parts, isClosing, handOver };
    server.on('connection', (socket: Socket) => {
      const connection = new FastConnection(socket, connectionParts);
      this.#connections.add(connection);
      socket.once('close', () => {
        this.#connections.delete(connection);
        this.#unheard.delete(socket);
      });
    });
    server.on('request', ({ socket }) => this.#unheard.delete(socket));
    const { firstHeadMs } = parts.timeouts;
    this.#sweep = setInterval(() => {
      const nowMs = performance.now();
      for (const connection of this.#connections) connection.expire(nowMs);
      for (const [socket, openedMs] of this.#unheard) {
        if (nowMs - openedMs < firstHeadMs) continue;
        this.#unheard.delete(socket);
        endWithError(socket, 'requestTimeout');
      }
    }, sweepMs).unref();
  }

  /** How many requests have arrived that the fast path may be able to answer. */
  get arrived(): number {
    return this.#arrived;
  }

  /** Ends connections on which no request is being answered. */
  closeIdle(): void {
    for (const { isIdle, socket } of this.#connections) if (isIdle) socket.destroy();
  }

  /** Ends all connections immediately, and stops the timeouts. */
  close(): void {
    clearInterval(this.#sweep);
    for (const { socket } of this.#connections) socket.destroy();
  }
}
