import type { PreparedResponse } from '../http/responses/prepared-response.ts';
import { formatRequestId, writeRequestId } from '../http/server/request-id.ts';

/** The length of every date of a Date field (RFC 9110 §5.6.7). */
const dateChars = 29;

/**
 * The bytes of a response that is sent again and again, head and body in one buffer.
 *
 * Only the request id and the date differ between two of them, and these are overwritten in place: making all bytes
 * for each request costs as much as the rest of its work.
 */
export class PreparedBytes {
  #bytes: Buffer;
  readonly #idAt: number;
  readonly #dateAt: number;
  #date = '';

  private constructor(bytes: Buffer, at: { readonly id: number; readonly date: number }) {
    this.#bytes = bytes;
    this.#idAt = at.id;
    this.#dateAt = at.date;
  }

  /** `fixed` are the header lines of every response, `end` are those after the date. */
  static of(
    response: PreparedResponse,
    status: 200 | 304,
    { fixed, end }: { readonly fixed: string; readonly end: string },
  ): PreparedBytes {
    const begin = `HTTP/1.1 ${status === 200 ? '200 OK' : '304 Not Modified'}\r\nx-request-id: `;
    const fields = status === 200 ? response.fields : response.validatorFields;
    const untilDate = `${begin}${formatRequestId(0)}\r\n${fixed}${fields}Date: `;
    const head = Buffer.from(`${untilDate}${'-'.repeat(dateChars)}${end}`, 'latin1');
    const body = status === 200 ? response.result.representation.body : Buffer.alloc(0);
    const at = { id: begin.length, date: untilDate.length };
    return new PreparedBytes(Buffer.concat([head, body]), at);
  }

  /** The bytes for one request. The next call overwrites them, unless `detach` was called before. */
  fill(requestNumber: number, date: string): Buffer {
    writeRequestId(this.#bytes, this.#idAt, requestNumber);
    if (date !== this.#date) {
      this.#bytes.write(date, this.#dateAt, 'latin1');
      this.#date = date;
    }
    return this.#bytes;
  }

  /** Continues with a copy, because a socket still has to send the current bytes. */
  detach(): void {
    this.#bytes = Buffer.from(this.#bytes);
  }
}
