import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A server starts within this time, however slow the machine. */
const startMs = 30_000;

/** A third-party server in a child process, on a free port of this machine. */
export class ServerProcess {
  readonly port: number;
  readonly #command: readonly string[];
  readonly #uid: number | undefined;
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #said = '';
  readonly #killLast = (): void => this.#signalAll('SIGKILL');

  /** Starts it on a free port; `command` returns the program and its arguments for a port. */
  static async start(options: {
    readonly command: (port: number) => readonly string[];
    /** As another user than ours, which only root may. */
    readonly uid?: number | undefined;
  }): Promise<ServerProcess> {
    for (let attempt = 1; ; attempt += 1) {
      const port = await findFreePort();
      const server = new ServerProcess(port, options.command(port), options.uid);
      try {
        await server.start();
        return server;
      } catch (error) {
        // Another process may have taken the port meanwhile.
        if (attempt === 3) throw error;
      }
    }
  }

  private constructor(port: number, command: readonly string[], uid: number | undefined) {
    this.port = port;
    this.#command = command;
    this.#uid = uid;
  }

  /** Starts it again after it was stopped or killed, on its port; waits until it listens. */
  async start(): Promise<void> {
    const [program = '', ...args] = this.#command;
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(this.#uid === undefined ? {} : { uid: this.#uid, cwd: '/' }),
    });
    this.#child = child;
    this.#said = '';
    const keep = (text: Buffer): void => void (this.#said += text.toString());
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => keep(Buffer.from(error.message)));
    this.#ended = new Promise((resolve) => child.once('close', resolve));
    process.once('exit', this.#killLast);

    const deadlineMs = performance.now() + startMs;
    while (!(await listens(this.port))) {
      const isOver = child.pid === undefined || child.exitCode !== null;
      if (isOver || performance.now() > deadlineMs) {
        await this.kill();
        throw new Error(`${program} does not start on port ${this.port}: ${this.#said}`);
      }
      await pause(20);
    }
  }

  /** Ends it in order, with this signal. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.resume();
    this.#child?.kill(signal);
    const timer = setTimeout(() => this.#signalAll('SIGKILL'), 10_000);
    await this.#ended;
    clearTimeout(timer);
    process.off('exit', this.#killLast);
  }

  /** Kills it and its child processes, like the loss of a machine. */
  async kill(): Promise<void> {
    this.#signalAll('SIGKILL');
    await this.#ended;
    process.off('exit', this.#killLast);
  }

  /** Stops it with SIGSTOP: connections stay open, and it answers nothing. */
  pause(): void {
    this.#signalAll('SIGSTOP');
  }

  resume(): void {
    this.#signalAll('SIGCONT');
  }

  #signalAll(signal: NodeJS.Signals): void {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    // The parent is stopped first, so that it starts no more children; then its children are found.
    child.kill(signal === 'SIGKILL' ? 'SIGSTOP' : signal);
    for (const pid of childrenOf(child.pid)) {
      try {
        process.kill(pid, signal);
      } catch {
        // It ended by itself.
      }
    }
    if (signal === 'SIGKILL') child.kill(signal);
  }
}

/**
 * A port of this machine without a listener, below those that systems give to connections and to listeners of port 0
 * (from 32768 on Linux): a server started on it a second later would find one of these taken by another suite.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_240, 32_768);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    await server[Symbol.asyncDispose]();
    if (isFree) return port;
  }
}

/** Whether a server accepts connections on this port of this machine. */
export async function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

/** PostgreSQL has a process for each connection; elsewhere than on Linux they are not looked for. */
function childrenOf(pid: number): number[] {
  try {
    const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return pids.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
