import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import type { UnreadClientsOptions } from './unread-clients.ts';

/**
 * Thread of clients that send and never read, so that they do not slow down the other callers in the test's process.
 * Reports to the parent when all are connected or refused.
 */
const { url, count, bytes } = workerData as UnreadClientsOptions;
const { hostname, port } = new URL(url);
// Sockets that are not read keep no thread alive.
parentPort?.on('message', () => {});
let settled = 0;
for (let at = 0; at < count; at += 1) {
  // Each from an address of its own, so that no limit of an address is in the way.
  const localAddress = `127.${1 + Math.trunc(at / 250)}.0.${1 + (at % 250)}`;
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  // Before it is connected: else it reads ahead by itself.
  socket.pause();
  socket.write(bytes);
  let isSettled = false;
  const settle = (): void => {
    if (isSettled) return;
    isSettled = true;
    settled += 1;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    if (settled === count) parentPort?.postMessage('sent');
  };
  socket.once('connect', settle).once('error', settle).once('close', settle);
  socket.on('error', () => {});
}
