import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

export type UnreadClientsOptions = {
  readonly url: string;
  /** Connections, each from an address of its own. */
  readonly count: number;
  /** The bytes that each client sends, one character per byte. */
  readonly bytes: string;
};

/** Opens connections that send and never read, from a thread of its own; resolves when all have been tried. */
export async function startUnreadClients(options: UnreadClientsOptions): Promise<void> {
  const thread = new Worker(new URL('./unread-clients-thread.ts', import.meta.url), {
    workerData: options,
  });
  onTestFinished(async () => void (await thread.terminate()));
  await once(thread, 'message');
}
