import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics.ts';
import { type Connection, findDispensable, isAnswering } from './dispensable.ts';
import { EndedConnections, type EndReason } from './ended-connections.ts';

/** Requests of one connection that wait behind another one (pipelining, RFC 9112 §9.3.2). */
const waitingMax = 64;
/** While more than this wait on all connections, one connection may have only a few of them: each takes some 10 KB. */
const waitingInAllMax = 1_024;
const fewWaiting = 4;
/** A connection with unsent bytes ends if the kernel takes none of them for this long. */
const stallMs = 20_000;
/** A connection on which no working key was sent ends at this age, as soon as no request is under way. */
const anonymousMs = 45_000;
const sweepMs = 5_000;

type Parts = {
  readonly port: 'api' | 'operations';
  readonly connectionsMax: number;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'openConnections' | 'closedConnections'>;
};

/**
 * Bounds what the clients of a port can make it hold: connections, requests sent ahead, and answers that are not read.
 * Heads and bodies that come slowly are ended by the timeouts of `node:http`.
 * If all places are taken, a new connection replaces another one (`findDispensable`).
 */
export class ConnectionGuard {
  readonly #parts: Parts;
  readonly #ended: EndedConnections;
  readonly #open = new Map<Socket, Connection>();
  /** Those without a key, in the order in which they were opened. */
  readonly #anonymous = new Set<Socket>();
  /** Those that are not read for now. */
  readonly #paused: Socket[] = [];
  #requests = 0;
  #waitingInAll = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#ended = new EndedConnections(parts);
  }

  /** Guards a server that does not listen yet and whose requests have one listener; returns a function that ends this. */
  watch(server: Server): () => void {
    const [answer, ...others] = server.listeners('request');
    if (answer === undefined || others.length > 0) throw new Error('requests have other listeners');
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#begin(request.socket, response, () => answer.call(server, request, response));
    });
    server.prependListener('connection', (socket: Socket) => this.#take(socket));
    server.on('timeout', (socket: Socket) => {
      if (!this.isAnswering(socket)) socket.destroy();
      else if (socket.writableLength > 0) this.#end(socket, 'unread');
    });
    const timer = setInterval(() => this.#sweep(), sweepMs).unref();
    return () => clearInterval(timer);
  }

  /** Notes that a working key was sent on a connection. */
  recognise(socket: Socket): void {
    this.#anonymous.delete(socket);
  }

  /** Whether an answer on a connection is not sent yet. */
  isAnswering(socket: Socket): boolean {
    return isAnswering(this.#open.get(socket));
  }

  #take(socket: Socket): void {
    const { port, metrics, connectionsMax: places } = this.#parts;
    const openedMs = performance.now();
    const connection: Connection = { openedMs, last: undefined, lastNumber: 0, waiting: [] };
    this.#open.set(socket, connection);
    this.#anonymous.add(socket);
    metrics.openConnections.inc({ port });
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#anonymous.delete(socket);
      this.#waitingInAll -= connection.waiting.length;
      metrics.openConnections.dec({ port });
    });
    // After all bytes that came before are read: the end of a connection with unread bytes is a reset.
    if (this.#open.size > places) setImmediate(() => this.#makeRoom(places));
  }

  /** Answers a request when the answers to those before it on its connection are sent, unless one of them ends the connection. */
  #begin(socket: Socket, response: ServerResponse, answer: () => void): void {
    const connection = this.#open.get(socket);
    // The rest of a chunk is parsed after its connection was destroyed.
    if (connection === undefined) return;
    const before = connection.last;
    connection.last = response;
    connection.lastNumber = this.#requests += 1;
    if (response.socket !== null || before === undefined) return answer();
    const { waiting } = connection;
    const most = this.#waitingInAll < waitingInAllMax ? waitingMax : fewWaiting;
    if (waiting.length >= most) {
      this.#end(socket, 'requests');
      this.#pauseAnonymous();
      return;
    }
    if (waiting.length === 0) this.#answerNextAfter(before, socket, connection);
    waiting.push({ response, answer });
    this.#waitingInAll += 1;
  }

  /** Listens only where a request waits, so that requests which are not sent ahead do not pay for a listener. */
  #answerNextAfter(before: ServerResponse, socket: Socket, connection: Connection): void {
    before.once('finish', () => {
      if (!this.#open.has(socket)) return;
      const [next] = connection.waiting;
      if (next === undefined) return;
      // Node has handed the connection over to the next response by now, unless it ends with the one before.
      if (next.response.socket === null) return this.#ended.quieten(socket);
      connection.waiting.shift();
      this.#waitingInAll -= 1;
      if (connection.waiting.length > 0) this.#answerNextAfter(next.response, socket, connection);
      // In a later turn, so that a turn has one request of each connection, and other callers wait for few.
      setImmediate(() => {
        if (this.#open.has(socket)) next.answer();
      });
    });
  }

  /**
   * Node reads up to 1,700 requests of a connection at once, and holds them until the turn ends. So after one has sent too
   * many, others without a key are read one in each turn, the newest first: a caller's request comes with its connection.
   */
  #pauseAnonymous(): void {
    if (this.#paused.length === 0) setImmediate(() => this.#resumeNext());
    for (const socket of this.#anonymous) if (!socket.isPaused()) this.#paused.push(socket.pause());
  }

  #resumeNext(): void {
    this.#paused.pop()?.resume();
    if (this.#paused.length > 0) setImmediate(() => this.#resumeNext());
  }

  #makeRoom(places: number): void {
    while (this.#open.size > places) {
      const socket = findDispensable(this.#open, this.#anonymous, places);
      if (socket === undefined) return;
      this.#end(socket, 'connections');
    }
  }

  #sweep(): void {
    const nowMs = performance.now();
    for (const [socket, connection] of this.#open) {
      // Not from the beginning of a connection: a timeout that each request sets again takes 5 % of its time.
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(stallMs);
      const isOld = nowMs - connection.openedMs >= anonymousMs && this.#anonymous.has(socket);
      if (isOld && !isAnswering(connection)) this.#end(socket, 'anonymous');
    }
    this.#ended.report(nowMs);
  }

  #end(socket: Socket, reason: EndReason): void {
    this.#open.delete(socket);
    this.#anonymous.delete(socket);
    this.#ended.end(socket, reason);
  }
}
