import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { refuseOnSocket } from '../http/server/parser-errors.ts';
import type { ConnectionParts } from './connection-parts.ts';
import { FastConnection } from './connection.ts';

/** How often connections are looked at whose time may be up. */
const sweepMs = 1_000;

/**
 * The fast path: answers look-ups before the general HTTP machinery, as `FAST_PATH` allows (operator.md).
 *
 * What it does. Every connection of the API begins here. Where a chunk of bytes is exactly one whole GET that
 * leaves no doubt (`request-head.ts`), with a key that is known to work and a target that a look-up of ours
 * answers (`Lookups`), the answer is written at once: head and body in one write, without the parser, the
 * router and the hooks.
 *
 * What it does not do. It judges nobody: an unknown key, a method, a path, a header, half a head, two
 * requests at once, whatever is not exactly this, gives the connection with all its bytes to `node:http`, for
 * good, as if it had begun there. From the key on nothing is its own: keys, charges, look-ups, errors, metrics
 * and the access log are the same objects that the general machinery uses, and both answer with the same
 * bytes.
 *
 * Why `node:http` takes a connection that was begun elsewhere: what it does with a new one is its listener of
 * `connection`, an event that is documented to be emitted by users. Bytes that were read go back with
 * `unshift` before it begins.
 */
export class FastPath {
  readonly #connections = new Set<FastConnection>();
  /** Given away before a first whole request, by when they were opened: their time goes on. */
  readonly #unheard = new Map<Socket, number>();
  readonly #sweep: NodeJS.Timeout;
  #arrived = 0;

  /** Takes the connections of a server before it listens. */
  constructor(server: Server, parts: Omit<ConnectionParts, 'handOver'>) {
    const [general, ...others] = server.listeners('connection');
    if (general === undefined || others.length > 0) {
      throw new Error('the server already shares its connections with somebody');
    }
    server.removeAllListeners('connection');
    const isClosing = (): boolean => {
      this.#arrived += 1;
      return parts.isClosing();
    };
    const handOver = (connection: FastConnection, unread: Buffer): void => {
      const { socket } = connection;
      connection.release();
      this.#connections.delete(connection);
      if (!connection.hasAsked) this.#unheard.set(socket, connection.openedMs);
      // Nothing may flow before there is somebody to take it.
      socket.pause();
      socket.unshift(unread);
      general.call(server, socket);
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
        refuseOnSocket(socket, 'requestTimeout');
      }
    }, sweepMs).unref();
  }

  /** How many requests have come that may be answered here. */
  get arrived(): number {
    return this.#arrived;
  }

  /** Ends connections on which nothing is being answered. */
  closeIdle(): void {
    for (const { isIdle, socket } of this.#connections) if (isIdle) socket.destroy();
  }

  /** Ends all connections at once, and looks after none any more. */
  close(): void {
    clearInterval(this.#sweep);
    for (const { socket } of this.#connections) socket.destroy();
  }
}
