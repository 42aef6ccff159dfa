import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { WritersReport, WritersTask } from './event-writers-child.ts';

const script = fileURLToPath(new URL('./event-writers-child.ts', import.meta.url));

/** A process that announces events (`event-writers-child.ts`); it is killed when the test ends. */
export class EventWriters {
  readonly #child: ChildProcess;
  readonly #messages: AsyncIterator<unknown[]>;

  /** Resolves when the process has loaded its modules. */
  static async load(): Promise<EventWriters> {
    const writers = new EventWriters();
    await writers.#hear();
    return writers;
  }

  private constructor() {
    this.#child = fork(script, { env: { PATH: process.env['PATH'] }, execArgv: [] });
    // Unlike `close`, it comes after all messages.
    const close = ['disconnect'];
    this.#messages = on(this.#child, 'message', { close }) as AsyncIterator<unknown[]>;
    const closed = once(this.#child, 'close');
    onTestFinished(async () => {
      this.#child.kill('SIGKILL');
      await closed;
    });
  }

  /** Writes all events of the task; rejects if the process ends before. */
  async write(task: WritersTask): Promise<WritersReport> {
    this.#child.send(task);
    return (await this.#hear()) as WritersReport;
  }

  async #hear(): Promise<unknown> {
    const { value, done } = await this.#messages.next();
    if (done === true) throw new Error('the writers of events have ended without a report');
    return value[0];
  }
}
