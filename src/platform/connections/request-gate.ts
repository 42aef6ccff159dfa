import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type GateLimits = {
  /** Requests of a connection that are answered at the same time. */
  readonly underWayMax: number;
  /** The same on all connections; while there are more, no connection begins a second one. */
  readonly underWayInAllMax: number;
  /** No further request of a connection is begun while it has more than this unsent. */
  readonly unsentBytesMax: number;
};

const headEnd = '\r\n\r\n';

/** How long requests that were sent ahead are begun in one turn of the event loop. */
const turnMs = 0.5;

/** A connection as its gate has it. */
type Gated = {
  readonly socket: Socket;
  /** What `node:http` does with bytes. */
  readonly feed: (bytes: Buffer) => void;
  readonly underWay: Set<ServerResponse>;
  last: IncomingMessage | undefined;
  /** Whether what was read waits in the socket, for its turn or for an answer to go out. */
  isHeld: boolean;
};

/**
 * Bounds the requests under way on a connection of `node:http` whose client sends ahead (RFC 9112 §9.3.2).
 *
 * `node:http` gives out every request in what it reads at once, up to 64 KB or 1,700 requests, at some 10 KB of
 * memory for each until it is answered, and resumes a paused socket after each of them. So its bytes come to it
 * through here, up to the end of one head at a time. A connection that has sent more waits: its next request is
 * begun in a later turn of the event loop, after those of others, and not while as many are under way as may be.
 * Meanwhile what was read stays in the socket, unparsed, and nothing more is read.
 *
 * A head cannot end without an empty line, so no piece has more than one request. An empty line in a body only
 * cuts it into pieces. What `node:http` does with bytes is its listener of `data`; it has none where it reads past
 * the stream, which it no longer does when another listener is there.
 */
export class RequestGate {
  readonly #limits: GateLimits;
  readonly #gated = new WeakMap<Socket, Gated>();
  /** Whose next request may begin, in the order in which that became so. */
  readonly #waiting = new Set<Gated>();
  #isTurnComing = false;
  #underWayInAll = 0;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** Takes the connections of a server before anybody else does. */
  guard(server: Server): void {
    const [general, ...others] = server.listeners('connection');
    if (general === undefined || others.length > 0) {
      throw new Error('the connections of the server have another listener');
    }
    server.removeAllListeners('connection');
    // A client that has ended its direction is answered what it has asked before; else the answers under way are cut.
    Object.assign(server, { httpAllowHalfOpen: true });
    server.on('connection', (socket: Socket) => {
      general.call(server, socket);
      this.#stand(socket);
    });
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#count(request, response),
    );
  }

  /** Bytes of answers that are not sent yet, as far as `node:http` makes them. */
  unsentBytes(socket: Socket): number {
    const gated = this.#gated.get(socket);
    return gated === undefined ? 0 : unsentBytesOf(gated);
  }

  /** Puts itself between a socket and `node:http`, which listens to it. */
  #stand(socket: Socket): void {
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

  /** Gives `node:http` one request, or what there is of it, with all of its body that is there. */
  #feedNext(gated: Gated, bytes: Buffer): void {
    const { socket, feed } = gated;
    let from = 0;
    do {
      // After a refusal it is not known where a request begins.
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

  /** Where it is full, it waits from the end of an answer on. */
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
    // What is read comes as `data` too, within this call.
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
    // The rest of a body is never in the way of others.
    if (size === 0 || gated.last?.complete === false) return false;
    return (
      size >= underWayMax ||
      this.#underWayInAll > underWayInAllMax ||
      unsentBytesOf(gated) > unsentBytesMax
    );
  }
}

/**
 * Whether `node:http` has paused a socket because answers are unsent; then it resumes it, and takes no bytes
 * before. It remembers that on the socket alone.
 */
function isPausedByNode(socket: Socket): boolean {
  return (socket as Socket & { readonly _paused?: boolean })._paused === true;
}

/** The answer that is being sent counts what is in the socket. */
function unsentBytesOf({ underWay }: Gated): number {
  let bytes = 0;
  for (const { writableLength } of underWay) bytes += writableLength;
  return bytes;
}
