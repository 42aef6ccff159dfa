import type { Socket } from 'node:net';
import { andThen } from '../maybe-async.ts';
import type { Answer } from '../http/responses/prepared-response.ts';
import type { Match } from '../http/routes/cached-routes.ts';
import type { AnsweredRequest } from '../http/server/access-log.ts';
import { refuseOnSocket } from '../http/server/parser-errors.ts';
import { formatRequestId, nextRequestNumber } from '../http/server/request-id.ts';
import type { Admitted, ConnectionParts } from './connection-parts.ts';
import { readHead, type RequestHead } from './request-head.ts';
import { readTarget } from './target.ts';

/** What one request of a connection asked; most callers ask the same again and again. */
type Question = {
  readonly text: string;
  readonly head: RequestHead;
  /** The look-up that answers what is not in memory; undefined before it is needed, null where there is none. */
  match: Match | null | undefined;
  /** What the look-up reads of it; the same for the same question. */
  parameters: unknown;
};

/** A request that is being answered. */
type Asking = {
  readonly question: Question;
  readonly caller: Admitted;
  readonly arrivedMs: number;
  readonly number: number;
};

/** Whether an answer will be given again, or may never be. */
type Writing = 'writeAgain' | 'writeOnce';

/** A longer head is unusual. */
const headBytesMax = 2_048;

/** One connection, for as long as it sends nothing that gives cause for doubt. */
export class FastConnection {
  readonly socket: Socket;
  readonly openedMs = performance.now();
  readonly #parts: ConnectionParts;
  #lastQuestion: Question | undefined;
  #lastCaller: { readonly key: string; readonly admitted: Admitted } | undefined;
  /** True while a key or an answer is being looked up; what comes meanwhile waits in the socket. */
  #isBusy = false;
  /** Whether bytes were put back into the socket, and what is done with them when they come again. */
  #hasPutBack = false;
  #then: ((chunk: Buffer) => void) | undefined;
  #hasEnded = false;
  #hasAsked = false;
  #quietSinceMs = this.openedMs;

  constructor(socket: Socket, parts: ConnectionParts) {
    this.socket = socket;
    this.#parts = parts;
    socket.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError);
  }

  /** Whether nothing is being answered. */
  get isIdle(): boolean {
    return !this.#isBusy && this.socket.writableLength === 0;
  }

  /** Whether a request of it was answered. */
  get hasAsked(): boolean {
    return this.#hasAsked;
  }

  /** Lets go of the socket; whoever takes it gets what comes from now on. */
  release(): void {
    this.socket.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError);
  }

  /** Ends the connection where its time is up: before its first request, or after its last. */
  expire(nowMs: number): void {
    if (!this.isIdle || !this.socket.writable) return;
    const { firstHeadMs, idleMs } = this.#parts.timeouts;
    const quietMs = nowMs - this.#quietSinceMs;
    if (!this.#hasAsked && quietMs >= firstHeadMs) refuseOnSocket(this.socket, 'requestTimeout');
    else if (quietMs >= idleMs) this.socket.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
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

  /** Answers one whole request, at once or later, or lets go of the connection. */
  #take(chunk: Buffer): void {
    const arrivedMs = performance.now();
    const question = this.#read(chunk);
    if (question === undefined || this.#parts.isClosing()) {
      return this.#parts.handOver(this, chunk);
    }
    const caller = this.#admit(question.head.key);
    if (caller instanceof Promise) void this.#takeLater(chunk, caller, { question, arrivedMs });
    else this.#takeOf(caller, chunk, { question, arrivedMs });
  }

  #takeOf(
    caller: Admitted | undefined,
    chunk: Buffer,
    { question, arrivedMs }: Pick<Asking, 'question' | 'arrivedMs'>,
  ): void {
    const isAnswered =
      caller !== undefined &&
      this.#answer({ question, caller, arrivedMs, number: nextRequestNumber() });
    if (!isAnswered) this.#parts.handOver(this, chunk);
  }

  async #takeLater(
    chunk: Buffer,
    found: Promise<Admitted | undefined>,
    asking: Pick<Asking, 'question' | 'arrivedMs'>,
  ): Promise<void> {
    this.#isBusy = true;
    this.#putBack(chunk);
    const caller = await found.catch(() => undefined);
    this.#takeBack((bytes) => this.#takeOf(caller, bytes, asking));
  }

  /** Lets bytes wait in the socket: its end, behind which none can be given to anybody, then waits too. */
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

  /** What the bytes ask, if they are exactly one question that we understand. */
  #read(chunk: Buffer): Question | undefined {
    if (chunk.length > headBytesMax) return undefined;
    const text = chunk.toString('latin1');
    if (text === this.#lastQuestion?.text) return this.#lastQuestion;
    const head = readHead(text);
    if (head === undefined) return undefined;
    return (this.#lastQuestion = { text, head, match: undefined, parameters: undefined });
  }

  #match(question: Question): Match | null {
    if (question.match === undefined) {
      const target = readTarget(question.head.target);
      question.match = (target && this.#parts.lookups.match(target)) ?? null;
    }
    return question.match;
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

  /** False where no look-up of ours is for it. */
  #answer(asking: Asking): boolean {
    const known = this.#parts.lookups.recall(asking.question.head.target);
    if (known !== undefined) {
      this.#recall(asking, known);
      return true;
    }
    const match = this.#match(asking.question);
    if (match === null) return false;
    this.#lookUp(asking, match);
    return true;
  }

  #recall(asking: Asking, known: Answer): void {
    try {
      const pending = asking.caller.charge(known.cost);
      if (pending === undefined) this.#write(asking, known, 'writeAgain');
      else this.#settleLater(asking, known.route, after(pending, known), 'writeAgain');
    } catch (error) {
      this.#writeError(asking, known.route, error);
    }
  }

  #lookUp(asking: Asking, { lookup, asked }: Match): void {
    const { question, caller, arrivedMs } = asking;
    try {
      const found = this.#parts.lookups.find(lookup, {
        target: question.head.target,
        keyId: caller.keyId,
        parameters: () => (question.parameters ??= lookup.read(asked)),
        charge: caller.charge,
        elapsedMs: () => performance.now() - arrivedMs,
      });
      if (found instanceof Promise) this.#settleLater(asking, lookup.url, found, 'writeOnce');
      else this.#write(asking, found, 'writeOnce');
    } catch (error) {
      this.#writeError(asking, lookup.url, error);
    }
  }

  #settleLater(asking: Asking, route: string, found: Promise<Answer>, how: Writing): void {
    const settled = found.then(
      (answer) => this.#write(asking, answer, how),
      (error: unknown) => this.#writeError(asking, route, error),
    );
    this.#whileBusy(settled);
  }

  #write(asking: Asking, answer: Answer, how: Writing): void {
    const { number, question } = asking;
    const request = { number, ifNoneMatch: question.head.ifNoneMatch };
    const status = this.#parts.writer[how](this.socket, answer, request);
    this.#observe(asking, answer.route, { status, refusal: null });
  }

  #writeError(asking: Asking, route: string, thrown: unknown): void {
    const { number } = asking;
    const requestId = formatRequestId(number);
    const error = this.#parts.toApiError(thrown, { requestId, route });
    this.#parts.writer.writeError(this.socket, error, number);
    this.#observe(asking, route, { status: error.status, refusal: error.reason });
  }

  #observe(
    asking: Asking,
    route: string,
    { status, refusal }: Pick<AnsweredRequest, 'status' | 'refusal'>,
  ): void {
    const nowMs = performance.now();
    if (!this.#hasAsked) this.#parts.recognise(this.socket);
    this.#hasAsked = true;
    this.#quietSinceMs = nowMs;
    // Who does not read answers is not listened to.
    if (this.socket.writableNeedDrain) {
      this.socket.pause();
      this.socket.once('drain', () => this.socket.resume());
    }
    this.#parts.observer.record({
      requestId: asking.number,
      keyId: asking.caller.keyId,
      method: 'GET',
      route,
      status,
      durationMs: nowMs - asking.arrivedMs,
      refusal,
    });
  }

  /** What comes before this is settled is for the general machinery: who sends ahead is unusual. */
  #whileBusy(settled: Promise<void>): void {
    this.#isBusy = true;
    void settled.then(() => {
      if (this.#hasPutBack) return this.#takeBack((bytes) => this.#parts.handOver(this, bytes));
      this.#isBusy = false;
      this.#endIfOver();
    });
  }

  /** Who asks no more is answered, and that is all. */
  #endIfOver(): void {
    if (this.#hasEnded && !this.#isBusy) this.socket.end();
  }
}

async function after<T>(pending: Promise<void>, value: T): Promise<T> {
  await pending;
  return value;
}
