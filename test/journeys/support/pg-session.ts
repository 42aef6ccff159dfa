import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const script = fileURLToPath(new URL('./pg-session-child.ts', import.meta.url));

/** A process that has a session (`pg-session-child.ts`); it is killed when the test ends. */
export class SessionProcess {
  readonly #child: ChildProcess;
  readonly #closed: Promise<number | null>;

  /** Resolves when the process has reached its state. */
  static async start(url: string, place: 'idle' | 'in transaction'): Promise<SessionProcess> {
    const started = new SessionProcess(url, place);
    await once(started.#child, 'message');
    return started;
  }

  private constructor(url: string, place: string) {
    this.#child = fork(script, [place], {
      env: { PATH: process.env['PATH'], DATABASE_URL: url },
      execArgv: [],
    });
    this.#closed = new Promise((resolve) => {
      this.#child.once('close', (code) => resolve(code));
    });
    onTestFinished(async () => {
      this.#child.kill('SIGKILL');
      await this.#closed;
    });
  }

  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  /** Continues the process. */
  goOn(): void {
    this.#child.send('go on');
  }

  /** The next message of the process. */
  async says(): Promise<unknown> {
    const [message] = (await once(this.#child, 'message')) as [unknown];
    return message;
  }

  /** The exit code; null if the process was killed. */
  async ended(): Promise<number | null> {
    return this.#closed;
  }
}
