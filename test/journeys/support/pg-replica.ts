import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { ReplicaEnd, ReplicaMessage, ReplicaTask, Waiting } from './pg-replica-task.ts';

const script = fileURLToPath(new URL('./pg-replica-child.ts', import.meta.url));
const preload = new URL('./pg-build.ts', import.meta.url).href;
/** Maximum time of a run on a slow machine. */
const answerMs = 60_000;

/** One of several processes that run the daily job (`pg-replica-child.ts`); it ends with the test. */
export class Replica {
  readonly #child: ChildProcess;
  readonly #messages: ReplicaMessage[] = [];
  #heard = Promise.withResolvers<void>();
  #said = '';

  constructor(env: {
    readonly BUILD: string;
    readonly DATABASE_URL: string;
    readonly TEDB_URL: string;
  }) {
    this.#child = fork(script, {
      env: { PATH: process.env['PATH'], ...env },
      execArgv: ['--import', preload],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const closed = new Promise<void>((resolve) => {
      this.#child.once('close', () => resolve());
    });
    this.#child.on('message', (message) => {
      this.#messages.push(message as ReplicaMessage);
      this.#heard.resolve();
    });
    this.#child.stderr?.on('data', (text: Buffer) => (this.#said += text.toString()));
    this.#child.once('close', () => this.#heard.resolve());
    onTestFinished(async () => {
      this.#child.kill('SIGKILL');
      await closed;
    });
  }

  async ready(): Promise<void> {
    await this.#hear('ready');
  }

  begin(task: ReplicaTask): void {
    this.#child.send(task);
  }

  /** Resolves when the process waits before its statement; with undefined if its run ended before. */
  async waiting(): Promise<Waiting | undefined> {
    const message = await this.#hear('waiting', 'ended');
    if (message.kind === 'waiting') return message;
    this.#messages.unshift(message);
    return undefined;
  }

  /** Stops the process, like a suspended machine. */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  /** Continues the process where it was stopped. */
  goOn(): void {
    this.#child.kill('SIGCONT');
    this.#child.send('go on');
  }

  async ended(): Promise<ReplicaEnd> {
    return (await this.#hear('ended')) as ReplicaEnd;
  }

  async #hear(...kinds: readonly ReplicaMessage['kind'][]): Promise<ReplicaMessage> {
    const deadlineMs = performance.now() + answerMs;
    for (;;) {
      const at = this.#messages.findIndex(({ kind }) => kinds.includes(kind));
      const [found] = at < 0 ? [] : this.#messages.splice(at, 1);
      if (found !== undefined) return found;
      if (!this.#child.connected) throw new Error(`a replica has ended: ${this.#said}`);
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) throw new Error(`a replica does not say ${kinds.join(' or ')}`);
      this.#heard = Promise.withResolvers();
      const timer = setTimeout(() => this.#heard.resolve(), leftMs);
      await this.#heard.promise;
      clearTimeout(timer);
    }
  }
}
