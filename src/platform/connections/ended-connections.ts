import type { Socket } from 'node:net';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics.ts';

/** Each reason is logged at most this often. */
const logEveryMs = 60_000;

const reasons = ['connections', 'requests', 'unread', 'anonymous'] as const;
export type EndReason = (typeof reasons)[number];

type Parts = {
  readonly port: string;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'closedConnections'>;
};

/** Ends connections of a port, counts them, and logs how many there were. */
export class EndedConnections {
  readonly #parts: Parts;
  readonly #unlogged = new Map<EndReason, number>();
  #loggedMs = -Infinity;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { port, metrics } = parts;
    // With a 0 from the first scrape on, the first connection that is ended is visible as a rate.
    for (const reason of reasons) metrics.closedConnections.inc({ port, reason }, 0);
  }

  end(socket: Socket, reason: EndReason): void {
    this.quieten(socket);
    socket.destroy();
    const { port, metrics } = this.#parts;
    metrics.closedConnections.inc({ port, reason });
    this.#unlogged.set(reason, (this.#unlogged.get(reason) ?? 0) + 1);
  }

  /**
   * Prepares the end of a connection with unanswered requests: Node makes an error with a stack for each of them. No code reads
   * these stacks, and making them took half of the time that the end of such a connection takes.
   */
  quieten(socket: Socket): void {
    const { stackTraceLimit } = Error;
    socket.prependOnceListener('close', () => (Error.stackTraceLimit = 0));
    socket.once('close', () => (Error.stackTraceLimit = stackTraceLimit));
  }

  /** Logs what was not logged yet, unless the last time is less than a minute ago. */
  report(nowMs: number): void {
    if (nowMs - this.#loggedMs < logEveryMs || this.#unlogged.size === 0) return;
    this.#loggedMs = nowMs;
    const { port, log } = this.#parts;
    for (const [reason, count] of this.#unlogged) {
      log.warn({ port, reason, count }, 'connections ended by their limits');
    }
    this.#unlogged.clear();
  }
}
