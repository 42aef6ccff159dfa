import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { DataSetKind } from '../../../src/platform/publication/data-set-kinds.ts';
import type { JobMessage, JobTask } from './job-child.ts';

const script = fileURLToPath(new URL('./job-child.ts', import.meta.url));
const compileCache = join(tmpdir(), 'vatfx-test-compile-cache');
/** Maximum time of a run on a slow machine. */
const lifeMs = 100_000;

export type JobEnd =
  | Extract<JobMessage, { kind: 'ended' }>
  | { readonly kind: 'killed'; readonly signal: string | null };

/** A process of its own that runs one job (`job-child.ts`); it is killed when the test ends. */
export class JobProcess {
  readonly #child: ChildProcess;
  readonly #closed: Promise<string | null>;
  readonly #messages: JobMessage[] = [];
  #heard: () => void = () => {};

  constructor() {
    this.#child = fork(script, {
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache },
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#closed = new Promise((resolve) => {
      this.#child.once('close', (_code, signal) => resolve(signal));
    });
    this.#child.on('message', (message) => {
      this.#messages.push(message as JobMessage);
      this.#heard();
    });
    const timer = setTimeout(() => this.kill(), lifeMs);
    this.#child.once('close', () => {
      clearTimeout(timer);
      this.#heard();
    });
    onTestFinished(async () => {
      this.kill();
      await this.#closed;
    });
  }

  /** Resolves when the process has loaded its modules. */
  async ready(): Promise<void> {
    await this.#hear('ready');
  }

  /** Sends the task; resolves when the run begins. */
  async start(task: JobTask<DataSetKind>): Promise<void> {
    await this.ready();
    this.#child.send(task);
    await this.#hear('started');
  }

  /** Stops or continues the process, like a suspended machine. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(name);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** The end of the process: with a report, or killed. */
  async ended(): Promise<JobEnd> {
    const signal = await this.#closed;
    const end = this.#messages.find((message) => message.kind === 'ended');
    return end ?? { kind: 'killed', signal };
  }

  async #hear(kind: JobMessage['kind']): Promise<void> {
    const isOver = (): boolean =>
      this.#messages.some((message) => message.kind === kind) || !this.#child.connected;
    while (!isOver()) {
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
  }
}
