import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer } from '../http/responses/prepared-response.ts';
import type { ApiError } from '../http/responses/api-errors.ts';
import { formatRequestId } from '../http/server/request-id.ts';
import type { Clock } from '../time.ts';
import { AnswerBytes } from './prepared-bytes.ts';

/** A request as far as its answer depends on it. */
type Answered = { readonly number: number; readonly ifNoneMatch: string | undefined };

/**
 * Writes answers to the byte as `node:http` writes those of the framework: the same fields in the same order
 * and case.
 */
export class AnswerWriter {
  readonly #clock: Clock;
  /** What every head has after its request id, and what it ends with after the date. */
  readonly #lines: { readonly fixed: string; readonly end: string };
  readonly #repeated = new WeakMap<Answer, { [status in 200 | 304]?: AnswerBytes }>();
  #second = Number.NaN;
  #date = '';

  constructor(parts: {
    readonly clock: Clock;
    readonly keepAliveSeconds: number;
    /** Fields of every answer. */
    readonly fixedFields: Readonly<Record<string, string>>;
  }) {
    this.#clock = parts.clock;
    const keepAlive = `Keep-Alive: timeout=${parts.keepAliveSeconds}`;
    this.#lines = {
      fixed: printFields(parts.fixedFields),
      end: `\r\nConnection: keep-alive\r\n${keepAlive}\r\n\r\n`,
    };
  }

  /** Writes an answer that may never be given again, and tells its status. */
  writeOnce(socket: Socket, answer: Answer, { number, ifNoneMatch }: Answered): 200 | 304 {
    const isKnown = ifNoneMatch !== undefined && answer.isKnownTo(ifNoneMatch);
    const [line, fields, body] = isKnown
      ? ['HTTP/1.1 304 Not Modified', answer.validatorFields, '']
      : ['HTTP/1.1 200 OK', answer.fields, answer.found.representation.byteText];
    const id = `x-request-id: ${formatRequestId(number)}`;
    const { fixed, end } = this.#lines;
    const head = `${line}\r\n${id}\r\n${fixed}${fields}Date: ${this.#dateNow()}${end}`;
    socket.write(head + body, 'latin1');
    return isKnown ? 304 : 200;
  }

  /** Writes an answer that will be given again, and tells its status. */
  writeAgain(socket: Socket, answer: Answer, { number, ifNoneMatch }: Answered): 200 | 304 {
    const status = ifNoneMatch !== undefined && answer.isKnownTo(ifNoneMatch) ? 304 : 200;
    let made = this.#repeated.get(answer);
    if (made === undefined) this.#repeated.set(answer, (made = {}));
    const bytes = (made[status] ??= AnswerBytes.of(answer, status, this.#lines));
    socket.write(bytes.fill(number, this.#dateNow()));
    // Not all of it went out at once.
    if (socket.writableLength > 0) bytes.leave();
    return status;
  }

  /** Writes why there is no answer. */
  writeError(socket: Socket, { status, headers, body }: ApiError, number: number): void {
    const bytes = Buffer.from(body).toString('latin1');
    const { fixed, end } = this.#lines;
    const fields = printFields({
      ...headers,
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(bytes.length),
    });
    const begin = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nx-request-id: ${formatRequestId(number)}`;
    const head = `${begin}\r\n${fixed}${fields}Date: ${this.#dateNow()}${end}`;
    socket.write(head + bytes, 'latin1');
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

function printFields(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}
