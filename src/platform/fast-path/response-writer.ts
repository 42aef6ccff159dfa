import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from '../http/responses/api-errors.ts';
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
  /** The header lines of every response between its request id and its own fields, and those after the date. */
  readonly #lines: { readonly fixed: string; readonly end: string };
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
    };
  }

  /** Writes a response that may never be sent again, and returns its status. */
  writeOnce(
    socket: Socket,
    response: PreparedResponse,
    { number, ifNoneMatch }: Answered,
  ): 200 | 304 {
    const isKnown = ifNoneMatch !== undefined && response.isKnownTo(ifNoneMatch);
    const [line, fields, body] = isKnown
      ? ['HTTP/1.1 304 Not Modified', response.validatorFields, '']
      : ['HTTP/1.1 200 OK', response.fields, response.result.representation.byteText];
    const id = `x-request-id: ${formatRequestId(number)}`;
    const { fixed, end } = this.#lines;
    const head = `${line}\r\n${id}\r\n${fixed}${fields}Date: ${this.#dateNow()}${end}`;
    socket.write(head + body, 'latin1');
    return isKnown ? 304 : 200;
  }

  /** Writes a response that will be sent again, and returns its status. */
  writeAgain(
    socket: Socket,
    response: PreparedResponse,
    { number, ifNoneMatch }: Answered,
  ): 200 | 304 {
    const status = ifNoneMatch !== undefined && response.isKnownTo(ifNoneMatch) ? 304 : 200;
    let made = this.#repeated.get(response);
    if (made === undefined) this.#repeated.set(response, (made = {}));
    const bytes = (made[status] ??= PreparedBytes.of(response, status, this.#lines));
    socket.write(bytes.fill(number, this.#dateNow()));
    // The kernel did not take all of it.
    if (socket.writableLength > 0) bytes.detach();
    return status;
  }

  /** Writes the answer to a request that failed. */
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

function printFields(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}
