import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** An answer as it came over the wire. */
export type RawAnswer = {
  readonly status: number;
  /** By lower-case name; of a repeated header the last. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
};

/** One TCP connection to a server, for bytes that no HTTP client would send. Ends with the test. */
export class RawConnection {
  readonly #socket: Socket;
  #unread = Buffer.alloc(0);
  #isEnded = false;
  #isReset = false;
  #more = Promise.withResolvers<void>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#unread = Buffer.concat([this.#unread, chunk]);
      this.#wake();
    });
    // A reset counts as an end; the answers that were received completely by then count.
    socket.on('error', () => (this.#isReset = true));
    socket.on('close', () => {
      this.#isEnded = true;
      this.#wake();
    });
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Sends these bytes; a string holds one byte per character. */
  send(bytes: string | Buffer): void {
    this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Reads the next answer, the ones with a 1xx status included; undefined once the server has closed. */
  async read(): Promise<RawAnswer | undefined> {
    for (;;) {
      const answer = this.#take();
      if (answer !== undefined) return answer;
      if (this.#isEnded) {
        if (this.#unread.length > 0 && !this.#isReset)
          throw new Error(`half an answer: ${String(this.#unread)}`);
        return undefined;
      }
      await this.#more.promise;
    }
  }

  #take(): RawAnswer | undefined {
    const headEnd = this.#unread.indexOf('\r\n\r\n');
    if (headEnd === -1) return undefined;
    const [statusLine = '', ...lines] = this.#unread.toString('latin1', 0, headEnd).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) throw new Error(`not an answer: ${statusLine}`);
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const isEmpty = status < 200 || status === 204 || status === 304;
    const end = headEnd + 4 + (isEmpty ? 0 : Number(headers.get('content-length')));
    if (this.#unread.length < end) return undefined;
    const text = this.#unread.toString('utf8', headEnd + 4, end);
    this.#unread = this.#unread.subarray(end);
    return { status, headers, text };
  }

  #wake(): void {
    this.#more.resolve();
    this.#more = Promise.withResolvers();
  }
}
