import type { Answer } from '../http/responses/prepared-response.ts';
import { formatRequestId, writeRequestId } from '../http/server/request-id.ts';

/** As long as every date of a Date field (RFC 9110 §5.6.7). */
const dateChars = 29;

/**
 * The bytes of an answer that is given again and again, head and body in one piece.
 *
 * What differs between two of them, the request id and the date, is written over in place: making the bytes
 * anew costs as much as all the rest that is done for a request.
 */
export class AnswerBytes {
  #bytes: Buffer;
  readonly #idAt: number;
  readonly #dateAt: number;
  #date = '';

  private constructor(bytes: Buffer, at: { readonly id: number; readonly date: number }) {
    this.#bytes = bytes;
    this.#idAt = at.id;
    this.#dateAt = at.date;
  }

  /** `fixed` is what every head has, `end` what it ends with after the date. */
  static of(
    answer: Answer,
    status: 200 | 304,
    { fixed, end }: { readonly fixed: string; readonly end: string },
  ): AnswerBytes {
    const begin = `HTTP/1.1 ${status === 200 ? '200 OK' : '304 Not Modified'}\r\nx-request-id: `;
    const fields = status === 200 ? answer.fields : answer.validatorFields;
    const untilDate = `${begin}${formatRequestId(0)}\r\n${fixed}${fields}Date: `;
    const head = Buffer.from(`${untilDate}${'-'.repeat(dateChars)}${end}`, 'latin1');
    const body = status === 200 ? answer.found.representation.body : Buffer.alloc(0);
    const at = { id: begin.length, date: untilDate.length };
    return new AnswerBytes(Buffer.concat([head, body]), at);
  }

  /** The bytes for one request; only until the next call, if they are not `leave`d. */
  fill(requestNumber: number, date: string): Buffer {
    writeRequestId(this.#bytes, this.#idAt, requestNumber);
    if (date !== this.#date) {
      this.#bytes.write(date, this.#dateAt, 'latin1');
      this.#date = date;
    }
    return this.#bytes;
  }

  /** Leaves the bytes to whoever is still writing them. */
  leave(): void {
    this.#bytes = Buffer.from(this.#bytes);
  }
}
