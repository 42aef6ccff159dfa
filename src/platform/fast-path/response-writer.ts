import type { Socket } from 'node:net';
import { STATUS_CODES } from '../http/node-http.ts';
import { type ApiError, endsConnection } from '../http/responses/api-errors.ts';
import type { PreparedResponse } from '../http/responses/prepared-response.ts';
import { formatRequestId } from '../http/server/request-id.ts';
import type { Clock } from '../time.ts';
import { PreparedBytes } from './prepared-bytes.ts';

/** The parts of a request that its response depends on. */
type Answered = { readonly number: number; readonly ifNoneMatch: string | undefined };

/**
 * Writes responses byte for byte as `node:http` writes those of the framework: the same fields in the same order and
 * case.
 */
export class ResponseWriter {
  readonly #clock: Clock;
  /**
   * The header lines of every response between its request id and its own fields, and those after the date; other ones
   * if it is the last response of its connection.
   */
  readonly #lines: { readonly fixed: string; readonly end: string; readonly lastEnd: string };
  readonly #repeated = new WeakMap<PreparedResponse, { [status in 200 | 304]?: PreparedBytes }>();
  #second = Number.NaN;
  #date = '';

  constructor(parts: {
    readonly clock: Clock;
    readonly keepAliveSeconds: number;
    /** Header fields of every response. */
    readonly fixedFields: Readonly<Record<string, string>>;
  }) {
    this.#clock = parts.clock;
    const keepAlive = `Keep-Alive: timeout=${parts.keepAliveSeconds}`;
    this.#lines = {
      fixed: printFields(parts.fixedFields),
      end: `\r\nConnection: keep-alive\r\n${keepAlive}\r\n\r\n`,
      // The header `connection` is one of the answer's own.
      lastEnd: '\r\n\r\n',
    };
  }

  /** Writes a response that may never be sent again, and returns its status. */
  writeOnce(socket: Socket, response: PreparedResponse, answered: Answered): 200 | 304 {
    const status = statusOf(response, answered);
    const body = status === 200 ? response.result.representation.byteText : '';
    socket.write(
      this.#printHead(status, fieldsOf(response, status), answered.number) + body,
      'latin1',
    );
    return status;
  }

  /** Writes a response that will be sent again, and returns its status. */
  writeAgain(socket: Socket, response: PreparedResponse, answered: Answered): 200 | 304 {
    const status = statusOf(response, answered);
    let made = this.#repeated.get(response);
    if (made === undefined) this.#repeated.set(response, (made = {}));
    const bytes = (made[status] ??= this.#prepare(response, status));
    socket.write(bytes.fill(answered.number, this.#dateNow()));
    // The kernel did not take all of it.
    if (socket.writableLength > 0) bytes.detach();
    return status;
  }

  /** Writes the answer to a request that failed. */
  writeError(socket: Socket, { status, headers, body }: ApiError, number: number): void {
    const bytes = Buffer.from(body).toString('latin1');
    const fields = printFields({
      ...headers,
      ...(endsConnection(status) && { connection: 'close' }),
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(bytes.length),
    });
    socket.write(this.#printHead(status, fields, number) + bytes, 'latin1');
  }

  #prepare(response: PreparedResponse, status: 200 | 304): PreparedBytes {
    const body = status === 200 ? response.result.representation.body : Buffer.alloc(0);
    return new PreparedBytes(this.#printHead(status, fieldsOf(response, status), 0), body);
  }

  #printHead(status: number, fields: string, number: number): string {
    const { fixed, end, lastEnd } = this.#lines;
    return (
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nx-request-id: ${formatRequestId(number)}\r\n` +
      `${fixed}${fields}Date: ${this.#dateNow()}${endsConnection(status) ? lastEnd : end}`
    );
  }

  /** Formatted once a second. */
  #dateNow(): string {
    const second = Math.floor(this.#clock.now() / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#date = new Date(second * 1_000).toUTCString();
    }
    return this.#date;
  }
}

function statusOf(response: PreparedResponse, { ifNoneMatch }: Answered): 200 | 304 {
  return response.isKnownTo(ifNoneMatch) ? 304 : 200;
}

function fieldsOf(response: PreparedResponse, status: 200 | 304): string {
  return status === 200 ? response.fields : response.validatorFields;
}

function printFields(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}
