import type { Socket } from 'node:net';
import type { ConnectionGuard } from '../connections/connection-guard.ts';
import { endWithError } from '../http/server/parser-errors.ts';
import { nextRequestNumber } from '../http/server/request-id.ts';
import { andThen } from '../maybe-async.ts';
import type { Admit, Admitted } from './admission.ts';
import { readHead } from './request-head.ts';
import type { ParsedRequest, Recipient, Responder } from './responder.ts';

/** The parts that a connection of the fast path works with. */
export type ConnectionParts = {
  readonly admit: Admit;
  readonly responder: Responder;
  /** Follows which connections have sent a working key, and which are idle. */
  readonly guard: Pick<ConnectionGuard, 'begin' | 'answered' | 'recognise'>;
  /** Whether answers must carry `Connection: close`. */
  readonly isClosing: () => boolean;
  /** Gives a connection, with the bytes that came and were not answered, to `node:http`. */
  readonly handOver: (connection: FastConnection, unread: Buffer) => void;
  readonly timeouts: { readonly firstHeadMs: number; readonly idleMs: number };
};

/** A request that came, before its caller is known. */
type Arrived = { readonly parsed: ParsedRequest; readonly arrivedMs: number };

/** Longer heads are rare, and left to `node:http`. */
const headBytesMax = 2_048;

/**
 * A connection, for as long as each chunk that arrives is one whole request for a cached route.
 *
 * It is idle, or busy while a key or a response is being read. A chunk that arrives while it is busy is put back into
 * the socket, so that neither the chunk nor the end of the stream is lost, and the socket is paused. When the
 * connection is no longer busy, that chunk comes again, and `node:http` gets it with the connection.
 */
export class FastConnection implements Recipient {
  readonly socket: Socket;
  readonly openedMs = performance.now();
  readonly #parts: ConnectionParts;
  #lastRequest: ParsedRequest | undefined;
  #lastCaller: { readonly key: string; readonly admitted: Admitted } | undefined;
  #isBusy = false;
  /** Whether bytes were put back into the socket, and what happens to them when they come again. */
  #hasPutBack = false;
  #then: ((chunk: Buffer) => void) | undefined;
  #hasEnded = false;
  #hasAnswered = false;
  #quietSinceMs = this.openedMs;

  constructor(socket: Socket, parts: ConnectionParts) {
    this.socket = socket;
    this.#parts = parts;
    socket.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError);
  }

  /** Whether no request is being answered. */
  get isIdle(): boolean {
    return !this.#isBusy && this.socket.writableLength === 0;
  }

  /** Whether a request was answered here. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Removes all listeners from the socket, so that another owner can take it. */
  release(): void {
    this.socket.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError);
  }

  /** Ends the connection if it has waited too long for its first request, or since its last one. */
  expire(nowMs: number): void {
    if (!this.isIdle || !this.socket.writable) return;
    const { firstHeadMs, idleMs } = this.#parts.timeouts;
    const quietMs = nowMs - this.#quietSinceMs;
    if (!this.#hasAnswered && quietMs >= firstHeadMs) endWithError(this.socket, 'requestTimeout');
    else if (quietMs >= idleMs) this.socket.destroy();
  }

  onAnswered(nowMs: number, { isLast }: { readonly isLast: boolean }): void {
    const { guard } = this.#parts;
    const { socket } = this;
    if (!this.#hasAnswered) guard.recognise(socket);
    this.#hasAnswered = true;
    this.#quietSinceMs = nowMs;
    if (isLast) return socket.destroySoon();
    if (socket.writableLength === 0) guard.answered(socket);
    // The answer is sent when a write after it is.
    else socket.write('', () => guard.answered(socket));
    // A caller that does not read its answers is not read from.
    if (socket.writableNeedDrain) {
      socket.pause();
      socket.once('drain', () => socket.resume());
    }
  }

  readonly #onData = (chunk: Buffer): void => {
    // The last answer was written, and no further request is answered.
    if (this.socket.writableEnded) return;
    const then = this.#then;
    if (then !== undefined) {
      this.#then = undefined;
      this.#isBusy = false;
      return then(chunk);
    }
    if (this.#isBusy) this.#putBack(chunk);
    else this.#take(chunk);
  };

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    this.#endIfOver();
  };

  /** A connection that breaks ends by itself. */
  readonly #onError = (): void => {};

  /** Answers one whole request, immediately or later, or hands the connection over. */
  #take(chunk: Buffer): void {
    const arrivedMs = performance.now();
    const parsed = this.#parse(chunk);
    if (parsed === undefined || this.#parts.isClosing()) {
      return this.#parts.handOver(this, chunk);
    }
    this.#parts.guard.begin(this.socket);
    const caller = this.#admit(parsed.head.key);
    if (caller instanceof Promise) void this.#respondLater(chunk, caller, { parsed, arrivedMs });
    else this.#respond(caller, chunk, { parsed, arrivedMs });
  }

  #respond(caller: Admitted | undefined, chunk: Buffer, { parsed, arrivedMs }: Arrived): void {
    const answered =
      caller !== undefined &&
      this.#parts.responder.respond(this, {
        parsed,
        caller,
        arrivedMs,
        number: nextRequestNumber(),
      });
    if (answered === false) this.#leave(chunk);
    else if (answered !== true) this.#waitFor(answered);
  }

  /** Leaves a request that was begun to `node:http`. */
  #leave(chunk: Buffer): void {
    this.#parts.guard.answered(this.socket);
    this.#parts.handOver(this, chunk);
  }

  async #respondLater(
    chunk: Buffer,
    admitting: Promise<Admitted | undefined>,
    arrived: Arrived,
  ): Promise<void> {
    this.#isBusy = true;
    this.#putBack(chunk);
    const caller = await admitting.catch(() => undefined);
    this.#takeBack((bytes) => this.#respond(caller, bytes, arrived));
  }

  /** Keeps bytes in the socket. The end of the stream, after which no bytes can be put back, then waits too. */
  #putBack(chunk: Buffer): void {
    this.#hasPutBack = true;
    this.socket.pause();
    this.socket.unshift(chunk);
  }

  #takeBack(then: (chunk: Buffer) => void): void {
    this.#hasPutBack = false;
    this.#then = then;
    this.socket.resume();
  }

  /** The request, if the chunk is exactly one that the fast path understands. */
  #parse(chunk: Buffer): ParsedRequest | undefined {
    if (chunk.length > headBytesMax) return undefined;
    const text = chunk.toString('latin1');
    if (text === this.#lastRequest?.text) return this.#lastRequest;
    const head = readHead(text);
    if (head === undefined) return undefined;
    return (this.#lastRequest = { text, head, match: undefined, parameters: undefined });
  }

  #admit(key: string): Admitted | undefined | Promise<Admitted | undefined> {
    const last = this.#lastCaller;
    if (last?.key === key && last.admitted.isStillAdmitted()) return last.admitted;
    const remember = (admitted: Admitted | undefined): Admitted | undefined => {
      this.#lastCaller = admitted === undefined ? undefined : { key, admitted };
      return admitted;
    };
    return andThen(this.#parts.admit(key), remember);
  }

  /** Is busy until a response is written. Requests that were sent ahead of it are rare, and left to `node:http`. */
  #waitFor(answered: Promise<void>): void {
    this.#isBusy = true;
    void answered.then(() => {
      if (this.#hasPutBack) return this.#takeBack((bytes) => this.#parts.handOver(this, bytes));
      this.#isBusy = false;
      this.#endIfOver();
    });
  }

  /** Ends the connection if the caller has ended its side and all its requests are answered. */
  #endIfOver(): void {
    if (this.#hasEnded && !this.#isBusy) this.socket.end();
  }
}
