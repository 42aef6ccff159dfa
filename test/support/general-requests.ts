import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';

/**
 * Counts, until the test ends, the requests that `node:http` parses for a server of this process: those that the fast path
 * answers are not among them.
 */
export function countGeneralRequests(url: () => string): () => number {
  let count = 0;
  const onRequest = (message: unknown): void => {
    const { socket } = (message as { readonly request: IncomingMessage }).request;
    if (String(socket.localPort) === new URL(url()).port) count += 1;
  };
  subscribe('http.server.request.start', onRequest);
  onTestFinished(() => void unsubscribe('http.server.request.start', onRequest));
  return () => count;
}
