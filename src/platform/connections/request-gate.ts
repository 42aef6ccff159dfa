import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { takeConnections } from './take-connections.ts';

export type GateLimits = {
  /** Requests of one connection that are answered at the same time. */
  readonly underWayMax: number;
  /** Requests of all connections. While there are more, no connection begins a second one. */
  readonly underWayInAllMax: number;
  /** No further request of a connection is begun while more bytes of its answers are unsent. */
  readonly unsentBytesMax: number;
};

const headEnd = '\r\n\r\n';

/** Time in one turn of the event loop for beginning requests that were sent ahead. */
const turnMs = 0.5;

/** A connection behind the gate. */
type Gated = {
  readonly socket: Socket;
  /** Gives bytes to `node:http`. */
  readonly feed: (bytes: Buffer) => void;
  readonly underWay: Set<ServerResponse>;
  last: IncomingMessage | undefined;
  /** Whether bytes that were read wait in the socket, for a turn or for an answer to be sent. */
  isHeld: boolean;
};

/**
 * Bounds the requests under way on connections of `node:http` whose clients send requests ahead (RFC 9112 §9.3.2).
 *
 * `node:http` begins every request of a chunk in one turn: up to 64 KB or 1,700 requests, each with some 10 KB of
 * memory until it is answered. It also resumes a paused socket after each of them. So the gate gives it the bytes up
 * to the end of one head at a time. The next request of the connection is begun in a later turn of the event loop,
 * after those of other connections, and not while the connection is full. Meanwhile the bytes stay in the socket,
 * unparsed, and no more are read.
 *
 * A head cannot end without an empty line, so no piece has more than one request. An empty line in a body only
 * cuts the body into pieces. `node:http` takes bytes by its listener of `data`. It has no such listener while it reads
 * from the handle directly, which it stops as soon as there is another listener.
 */
export class RequestGate {
  readonly #limits: GateLimits;
  readonly #gated = new WeakMap<Socket, Gated>();
  /** Connections whose next request may begin, in the order in which they got ready. */
  readonly #waiting = new Set<Gated>();
  #isTurnComing = false;
  #underWayInAll = 0;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** Takes the connections of a server. Call it before any other listener does. */
  guard(server: Server): void {
    const serve = takeConnections(server);
    // A client that has ended its side still gets the answers to its requests. Otherwise they would be cut off.
    Object.assign(server, { httpAllowHalfOpen: true });
    server.on('connection', (socket: Socket) => {
      serve(socket);
      this.#takeBytes(socket);
    });
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#count(request, response),
    );
  }

  /** Unsent bytes of the answers of `node:http`. */
  unsentBytes(socket: Socket): number {
    const gated = this.#gated.get(socket);
    return gated === undefined ? 0 : unsentBytesOf(gated);
  }

  /** Replaces the listener of `node:http` for the bytes of a socket. */
  #takeBytes(socket: Socket): void {
    const [listener] = socket.listeners('data');
    if (listener === undefined) throw new Error('node:http does not listen to its socket');
    const feed = listener.bind(socket) as Gated['feed'];
    const gated: Gated = { socket, feed, underWay: new Set(), last: undefined, isHeld: false };
    this.#gated.set(socket, gated);
    socket.off('data', listener as Gated['feed']);
    socket.on('data', (bytes: Buffer) => {
      if (gated.isHeld) this.#hold(gated, bytes);
      else this.#feedNext(gated, bytes);
    });
  }

  /** Gives `node:http` one request, or the beginning of one, with as much of its body as has arrived. */
  #feedNext(gated: Gated, bytes: Buffer): void {
    const { socket, feed } = gated;
    let from = 0;
    do {
      // After a refused request it is unknown where the next one begins.
      if (socket.writableEnded || socket.destroyed) return;
      if (isPausedByNode(socket) || this.#isFull(gated)) break;
      const at = bytes.indexOf(headEnd, from);
      const to = at === -1 ? bytes.length : at + headEnd.length;
      feed(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to));
      from = to;
    } while (from < bytes.length && gated.last?.complete === false);
    if (from === bytes.length) return;
    this.#hold(gated, bytes.subarray(from));
    this.#letWait(gated);
  }

  #hold(gated: Gated, bytes: Buffer): void {
    gated.isHeld = true;
    gated.socket.pause();
    gated.socket.unshift(bytes);
  }

  /** A full connection is put in the queue after its next answer. */
  #letWait(gated: Gated): void {
    if (this.#isFull(gated)) return;
    this.#waiting.add(gated);
    this.#comeToTurn();
  }

  #comeToTurn(): void {
    if (this.#isTurnComing) return;
    this.#isTurnComing = true;
    setImmediate(() => this.#takeTurn());
  }

  #takeTurn(): void {
    this.#isTurnComing = false;
    const endMs = performance.now() + turnMs;
    for (const gated of this.#waiting) {
      this.#waiting.delete(gated);
      this.#goOn(gated);
      if (performance.now() >= endMs) break;
    }
    if (this.#waiting.size > 0) this.#comeToTurn();
  }

  #goOn(gated: Gated): void {
    const { socket } = gated;
    if (socket.destroyed) return;
    gated.isHeld = false;
    // The bytes also come as `data`, within this call.
    socket.read();
    if (!gated.isHeld && !isPausedByNode(socket)) socket.resume();
  }

  #count(request: IncomingMessage, response: ServerResponse): void {
    const gated = this.#gated.get(request.socket);
    if (gated === undefined) return;
    gated.last = request;
    gated.underWay.add(response);
    this.#underWayInAll += 1;
    response.once('close', () => {
      gated.underWay.delete(response);
      this.#underWayInAll -= 1;
      if (gated.isHeld) this.#letWait(gated);
    });
  }

  #isFull(gated: Gated): boolean {
    const { underWayMax, underWayInAllMax, unsentBytesMax } = this.#limits;
    const { size } = gated.underWay;
    // The rest of a body does not begin another request.
    if (size === 0 || gated.last?.complete === false) return false;
    return (
      size >= underWayMax ||
      this.#underWayInAll > underWayInAllMax ||
      unsentBytesOf(gated) > unsentBytesMax
    );
  }
}

/**
 * Whether `node:http` has paused a socket because answers are unsent. It will resume the socket itself, and takes no
 * bytes before. Only this field of the socket shows it.
 */
function isPausedByNode(socket: Socket): boolean {
  return (socket as Socket & { readonly _paused?: boolean })._paused === true;
}

/** The answer that is being sent includes the bytes in the socket. */
function unsentBytesOf({ underWay }: Gated): number {
  let bytes = 0;
  for (const { writableLength } of underWay) bytes += writableLength;
  return bytes;
}
