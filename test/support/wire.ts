import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The servers' ends of connections within this process, by the port of the other end. */
const serverEnds = new Map<number, Socket>();
subscribe('net.server.socket', (message) => {
  const { socket } = message as { readonly socket: Socket };
  const port = socket.remotePort ?? 0;
  serverEnds.set(port, socket);
  socket.once('close', () => serverEnds.delete(port));
});

/**
 * One TCP connection to a server of ours in this process, whose bytes are kept as they came. Ends with the
 * test.
 */
export class Wire {
  readonly socket: Socket;
  /** All received bytes, one character for each. */
  received = '';
  /** True once the server sends no more. */
  isEnded = false;
  isClosed = false;
  #sent = 0;
  #more = Promise.withResolvers<void>();

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.received += chunk.toString('latin1');
      this.#wake();
    });
    // A reset is an end like any other.
    socket.on('error', () => {});
    socket.on('end', () => {
      this.isEnded = true;
      socket.end();
      this.#wake();
    });
    socket.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
  }

  static async open(url: string): Promise<Wire> {
    const { hostname, port } = new URL(url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.setNoDelay(true);
    return new Wire(socket);
  }

  /** Sends these bytes; a string holds one byte per character. */
  send(bytes: string): void {
    this.#sent += bytes.length;
    this.socket.write(Buffer.from(bytes, 'latin1'));
  }

  /** Sends these bytes and waits until the server has read them, so that later bytes are not read with them. */
  async sendApart(bytes: string): Promise<void> {
    this.send(bytes);
    while (!this.isEnded && !this.isClosed && (this.serverEnd?.bytesRead ?? 0) < this.#sent)
      await nextTurn();
  }

  /** The other end. */
  get serverEnd(): Socket | undefined {
    return serverEnds.get(this.socket.localPort ?? 0);
  }

  /** Resolves when this is true, or the connection has ended. */
  async until(isSo: (received: string) => boolean): Promise<string> {
    while (!this.isEnded && !this.isClosed && !isSo(this.received)) await this.#more.promise;
    return this.received;
  }

  /** Resolves after this number of answers, or when the connection has ended; `toHead` for answers to HEAD. */
  async answers(count: number, { toHead = false } = {}): Promise<string> {
    return this.until((received) => countAnswers(received, toHead) >= count);
  }

  #wake(): void {
    this.#more.resolve();
    this.#more = Promise.withResolvers();
  }
}

/** Number of whole answers at the beginning of these bytes. */
export function countAnswers(bytes: string, toHead = false): number {
  let count = 0;
  for (let at = 0; ; count += 1) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    if (headEnd === -1) return count;
    const head = bytes.slice(at, headEnd);
    const isEmpty = toHead || /^HTTP\/1\.1 (?:1\d\d|204|304) /.test(head);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    at = headEnd + 4 + (isEmpty ? 0 : length);
    if (at > bytes.length) return count;
  }
}

/** The parts that differ from one answer to the next: id and date. */
export function maskOwn(bytes: string): string {
  return bytes
    .replace(/(?<=\r\nx-request-id: )[\w-]{8,}(?=\r\n)/gi, '{id}')
    .replace(/(?<=\r\nDate: )\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT(?=\r\n)/g, '{date}');
}

/** Runs all work that needs no time. */
export async function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
