import { fsyncSync, openSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { type During, LoopWatch } from './loop-watch.ts';

/**
 * A thread without work. It watches its own event loop. During the daily job it writes a page to the same disk ten times
 * a second, as a commit does. Its waits show how busy other processes keep the machine.
 */
const commitEveryMs = 100;
const page = Buffer.alloc(4_096);

const watch = new LoopWatch();
const file = openSync(String(workerData), 'w');
let timer: NodeJS.Timeout | undefined;

parentPort?.on('message', (order: During | 'end') => {
  clearInterval(timer);
  if (order === 'end') {
    watch.stop();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(watch.describe());
    return parentPort?.close();
  }
  watch.turnTo(order);
  if (order === 'job') timer = setInterval(commit, commitEveryMs);
});

function commit(): void {
  writeSync(file, page, 0, page.length, 0);
  fsyncSync(file);
}
