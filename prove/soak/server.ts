import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Order, ProbeReport } from './probe.ts';

const probe = new URL('./probe.ts', import.meta.url).href;

/** The fields of a log line that this class reads. */
type Line = Readonly<Record<'level' | 'msg', string>> & {
  readonly job?: string;
  readonly version?: string;
  readonly apiUrl?: string;
};

/** The server in a process of its own, with the probe preloaded. */
export class SoakedServer {
  /** Log lines that report an error. */
  readonly errors: string[] = [];
  /** The newest version of each job for which a run has ended since the start. */
  readonly versions = new Map<string, string>();
  apiUrl = '';
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;
  readonly #listening = Promise.withResolvers<void>();
  /** Ends when the last order was answered. The next order waits for it. */
  #lastOrder: Promise<unknown> = Promise.resolve();
  #isStopping = false;

  /**
   * Starts the server and waits until it listens. `program` is the path of its script; `imports` are loaded after the probe and
   * before it.
   */
  static async start(
    environment: Readonly<Record<string, string>>,
    { program, imports }: { readonly program: string; readonly imports: readonly string[] },
  ): Promise<SoakedServer> {
    const modules = [probe, ...imports].flatMap((url) => ['--import', url]);
    const child = spawn(process.execPath, ['--expose-gc', ...modules, program, 'serve'], {
      env: { ...environment, PORT: '0', OPS_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const server = new SoakedServer(child);
    await Promise.race([server.#listening.promise, server.#ended]);
    return server;
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the server ended with exit code ${String(code)}`);
    });
    this.#ended.catch(() => {});
    // Read from the first line: a run may end in the same chunk that has the address.
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    lines.on('line', (text) => this.#read(text));
  }

  /** Sends the probe an order, and waits for its answer. */
  async send(order: Order): Promise<ProbeReport> {
    const report = this.#lastOrder.then(async () => {
      const answered = once(this.#child, 'message');
      this.#child.send(order);
      const [answer] = await Promise.race([answered, this.#ended]);
      return answer as ProbeReport;
    });
    this.#lastOrder = report.catch(() => {});
    return report;
  }

  /** The number of open files and sockets of the server. */
  countDescriptors(): number {
    return readdirSync(`/proc/${this.#child.pid}/fd`).length;
  }

  /** Stops the server with SIGTERM, as a supervisor does. */
  async stop(): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#child.kill('SIGTERM');
    const [code] = this.#child.exitCode === null ? await once(this.#child, 'exit') : [null];
    if (code !== 0) this.errors.push(`the server ended with exit code ${String(code)}`);
  }

  #read(text: string): void {
    const { level, msg, job, version = '', apiUrl = '' } = JSON.parse(text) as Line;
    // The days of a soak are jumps of the clock, and VIES blocks on some of them; the service reports both.
    const isScripted = /^(clock of this machine|VIES blocks this service)/.test(msg);
    if (['error', 'fatal'].includes(level) && !isScripted) this.errors.push(text);
    if (msg === 'run ended' && job !== undefined) this.versions.set(job, version);
    if (msg !== 'listening') return;
    this.apiUrl = apiUrl;
    this.#listening.resolve();
  }
}
