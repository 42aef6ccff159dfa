import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** Another thread as a test sees it: both sides send messages, none is lost. */
export type OtherThread = {
  tell(message: unknown): void;
  /** The next message; rejects with what the thread has thrown. */
  hear(): Promise<unknown>;
};

/**
 * Runs code in a thread of its own: a wait for SQLite's lock blocks its thread, so
 * two connections that wait for each other cannot share one.
 *
 * `body` is the inside of an async function with `data`, `tell(message)` and `await hear()`.
 */
export function startThread(body: string, data: Readonly<Record<string, string>>): OtherThread {
  const code = `
    const { parentPort, workerData: data } = require('node:worker_threads');
    const tell = (message) => parentPort.postMessage(message);
    const hear = async () => new Promise((resolve) => parentPort.once('message', resolve));
    void (async () => { ${body} })();
  `;
  const worker = new Worker(code, { eval: true, workerData: data });
  onTestFinished(async () => void (await worker.terminate()));
  const messages = on(worker, 'message');
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    tell: (message) => worker.postMessage(message),
    hear: async () => {
      const { value } = (await messages.next()) as { value: [unknown] };
      return value[0];
    },
  };
}
