import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** Time after which a connection counts as one that does not open. */
const openMs = 300;

/**
 * A port on which connections never open, as if a firewall dropped the packets.
 *
 * A stopped process listens on it with the smallest backlog, and this class fills the backlog.
 */
export class DeafListener {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #fillers: readonly Socket[];

  private constructor(port: number, child: ChildProcess, fillers: readonly Socket[]) {
    this.port = port;
    this.#child = child;
    this.#fillers = fillers;
  }

  static async start(): Promise<DeafListener> {
    const script =
      "const s = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }," +
      ' () => process.send(s.address().port));';
    const child = spawn(process.execPath, ['-e', script], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const failed = once(child, 'exit').then(async () => {
      throw new Error(`no listener: ${child.stderr === null ? '' : await text(child.stderr)}`);
    });
    const [port] = (await Promise.race([once(child, 'message'), failed])) as [number];
    failed.catch(() => {});
    child.kill('SIGSTOP');

    const fillers: Socket[] = [];
    for (;;) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      fillers.push(socket);
      const isOpen = await Promise.race([
        once(socket, 'connect').then(() => true),
        once(AbortSignal.timeout(openMs), 'abort').then(() => false),
      ]);
      if (!isOpen) return new DeafListener(port, child, fillers);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#fillers) socket.destroy();
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}
