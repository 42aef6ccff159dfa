import { writeRequestId } from '../http/server/request-id.ts';

const idField = 'x-request-id: ';
const dateField = 'Date: ';

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

  /** `head` has the id and the date of any response; its first field is the id, its last `Date` is the date. */
  constructor(head: string, body: Buffer) {
    this.#bytes = Buffer.concat([Buffer.from(head, 'latin1'), body]);
    this.#idAt = head.indexOf(idField) + idField.length;
    this.#dateAt = head.lastIndexOf(dateField) + dateField.length;
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
