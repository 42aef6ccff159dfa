import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Order, ProbeReport } from './probe.ts';

const program = fileURLToPath(new URL('../../bin/vatfx.js', import.meta.url));
const probe = new URL('./probe.ts', import.meta.url).href;
const errorLevels = ['error', 'fatal'];

/** The fields of a log line that this class reads. */
type Line = {
  readonly level: string;
  readonly msg: string;
  readonly job?: string;
  readonly version?: string;
  readonly apiUrl?: string;
};

/** The server in a process of its own, as `npm start` runs it, with the probe preloaded. */
export class SoakedServer {
  /** Log lines that report an error. */
  readonly errors: string[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;
  readonly #listening = Promise.withResolvers<void>();
  #apiUrl = '';
  /** The newest version of each job. */
  readonly #versions = new Map<string, string>();
  /** Ends when the last order was answered. The next order waits for it. */
  #lastOrder: Promise<unknown> = Promise.resolve();
  #isStopping = false;

  /** Starts the server and waits until it listens. `imports` are loaded after the probe and before the server. */
  static async start(options: {
    readonly environment: Readonly<Record<string, string>>;
    readonly imports: readonly string[];
  }): Promise<SoakedServer> {
    const imports = [probe, ...options.imports].flatMap((url) => ['--import', url]);
    const child = spawn(process.execPath, ['--expose-gc', ...imports, program, 'serve'], {
      env: { ...options.environment, PORT: '0', OPS_PORT: '0' },
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

  /** The address of the server's API. */
  get apiUrl(): string {
    return this.#apiUrl;
  }

  /** The newest version for which a run of a job has ended since the start. */
  newestRun(job: string): string | undefined {
    return this.#versions.get(job);
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
    const line = JSON.parse(text) as Line;
    // The days of a soak are jumps of the clock, which the service reports.
    const isJump = line.msg.startsWith('clock of this machine');
    if (errorLevels.includes(line.level) && !isJump) this.errors.push(text);
    if (line.msg === 'listening') {
      this.#apiUrl = line.apiUrl ?? '';
      this.#listening.resolve();
    }
    if (line.msg === 'run ended' && line.job !== undefined) {
      this.#versions.set(line.job, line.version ?? '');
    }
  }
}
