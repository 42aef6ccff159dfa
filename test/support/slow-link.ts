import { connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * A way to a server on which everything takes as long as it is told to, in each direction half of it; the
 * order stays. Gone when the test ends.
 */
export class SlowLink {
  /** For what comes from now on. */
  delayMs = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  static async open(toPort: number): Promise<SlowLink> {
    const link = new SlowLink(toPort);
    await new Promise<void>((resolve) => {
      link.#server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(async () => {
      link.cut();
      await link.#server[Symbol.asyncDispose]();
    });
    return link;
  }

  private constructor(toPort: number) {
    this.#server = createServer((near) => {
      const far = connect(toPort, '127.0.0.1');
      this.#forward(near, far);
      this.#forward(far, near);
    });
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Ends every connection; new ones are let in. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #forward(from: Socket, to: Socket): void {
    let dueAtMs = 0;
    const send = (run: () => void): void => {
      dueAtMs = Math.max(dueAtMs, performance.now() + this.delayMs / 2);
      const waitMs = dueAtMs - performance.now();
      if (waitMs <= 0) run();
      else setTimeout(run, waitMs).unref();
    };
    this.#sockets.add(from);
    from.setNoDelay(true);
    from.on('error', () => {});
    from.on('data', (bytes) => send(() => void to.write(bytes)));
    from.once('close', () => {
      this.#sockets.delete(from);
      send(() => void to.destroy());
    });
  }
}
