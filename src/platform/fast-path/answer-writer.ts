import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer } from '../http/answer.ts';
import type { ApiError } from '../http/api-errors.ts';
import { formatRequestId } from '../http/request-id.ts';
import type { Clock } from '../time.ts';
import { AnswerBytes } from './answer-bytes.ts';

/** A request as far as its answer depends on it. */
type Answered = { readonly number: number; readonly ifNoneMatch: string | undefined };

/**
 * Writes answers to the byte as `node:http` writes those of the framework: the same fields in the same order
 * and case.
 */
export class AnswerWriter {
  readonly #clock: Clock;
  /** What every head ends with, after the date. */
  readonly #end: string;
  readonly #repeated = new WeakMap<Answer, { [status in 200 | 304]?: AnswerBytes }>();
  #second = Number.NaN;
  #date = '';

  constructor(parts: { readonly clock: Clock; readonly keepAliveSeconds: number }) {
    this.#clock = parts.clock;
    this.#end = `\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${parts.keepAliveSeconds}\r\n\r\n`;
  }

  /** Writes an answer that will be given again, and tells its status. */
  writeAgain(socket: Socket, answer: Answer, { number, ifNoneMatch }: Answered): 200 | 304 {
    const status = ifNoneMatch !== undefined && answer.isKnownTo(ifNoneMatch) ? 304 : 200;
    let made = this.#repeated.get(answer);
    if (made === undefined) this.#repeated.set(answer, (made = {}));
    const bytes = (made[status] ??= AnswerBytes.of(answer, status, this.#end));
    socket.write(bytes.fill(number, this.#dateNow()));
    // Not all of it went out at once.
    if (socket.writableLength > 0) bytes.leave();
    return status;
  }

  /** Writes an answer that may never be given again, and tells its status. */
  writeOnce(socket: Socket, answer: Answer, { number, ifNoneMatch }: Answered): 200 | 304 {
    const isKnown = ifNoneMatch !== undefined && answer.isKnownTo(ifNoneMatch);
    const [line, fields, body] = isKnown
      ? ['HTTP/1.1 304 Not Modified', answer.validatorFields, '']
      : ['HTTP/1.1 200 OK', answer.fields, answer.found.representation.byteText];
    const id = `x-request-id: ${formatRequestId(number)}`;
    const head = `${line}\r\n${id}\r\n${fields}Date: ${this.#dateNow()}${this.#end}`;
    socket.write(head + body, 'latin1');
    return isKnown ? 304 : 200;
  }

  /** Writes why there is no answer. */
  writeError(socket: Socket, { status, headers, body }: ApiError, number: number): void {
    const bytes = Buffer.from(body).toString('latin1');
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `x-request-id: ${formatRequestId(number)}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      'cache-control: no-store',
      'content-type: application/json; charset=utf-8',
      `content-length: ${bytes.length}`,
      `Date: ${this.#dateNow()}${this.#end}`,
    ];
    socket.write(head.join('\r\n') + bytes, 'latin1');
  }

  /** Made anew once a second. */
  #dateNow(): string {
    const second = Math.floor(this.#clock.now() / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#date = new Date(second * 1_000).toUTCString();
    }
    return this.#date;
  }
}
