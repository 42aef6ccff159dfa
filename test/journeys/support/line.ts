import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A line to a server of this machine, which can be cut or slowed down for whoever uses it. */
export class Line {
  /** Before each piece of what the server answers. */
  delayMs = 0;
  readonly #targetPort: number;
  readonly #sockets = new Set<Socket>();
  #server: Server;
  #port = 0;

  static async to(port: number): Promise<Line> {
    const line = new Line(port);
    onTestFinished(async () => line.cut());
    await line.restore();
    return line;
  }

  private constructor(port: number) {
    this.#targetPort = port;
    this.#server = createServer();
  }

  /** The URL of what is at the other end, by this line. */
  urlOf(url: string): string {
    return url.replace(`:${this.#targetPort}`, `:${this.#port}`);
  }

  /** Closes every connection, and refuses new ones. */
  async cut(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (this.#server.listening) await this.#server[Symbol.asyncDispose]();
  }

  /** Lets connections through, at the place where they were before. */
  async restore(): Promise<void> {
    this.#server = createServer((socket) => this.#join(socket));
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #join(near: Socket): void {
    const far = connect(this.#targetPort, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket
        .on('error', () => {})
        .once('close', () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
    }
    near.on('data', (bytes) => far.write(bytes));
    far.on('data', (bytes) => {
      if (this.delayMs === 0) near.write(bytes);
      else setTimeout(() => near.write(bytes), this.delayMs);
    });
  }
}
