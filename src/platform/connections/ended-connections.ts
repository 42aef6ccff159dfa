import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** Each reason is logged at most this often. */
const logEveryMs = 60_000;

/** Why a limit ended a connection. */
const reasons = ['address', 'connections', 'unread', 'memory'] as const;
export type EndReason = (typeof reasons)[number];

type Unlogged = { count: number; loggedAtMs: number };

/** Counts the connections that a limit has ended, and logs their number once a minute. */
export class EndedConnections {
  readonly #port: 'api' | 'operations';
  readonly #log: Log;
  readonly #counter: Metrics['closedConnections'];
  readonly #unlogged = new Map<EndReason, Unlogged>();

  constructor(parts: {
    readonly port: 'api' | 'operations';
    readonly log: Log;
    readonly metrics: Pick<Metrics, 'closedConnections'>;
  }) {
    this.#port = parts.port;
    this.#log = parts.log;
    this.#counter = parts.metrics.closedConnections;
    // With a 0 from the first scrape on, the first connection that is ended is visible as a rate.
    for (const reason of reasons) this.#counter.inc({ port: this.#port, reason }, 0);
  }

  count(reason: EndReason): void {
    this.#counter.inc({ port: this.#port, reason });
    const unlogged = this.#unlogged.get(reason) ?? { count: 0, loggedAtMs: -Infinity };
    unlogged.count += 1;
    this.#unlogged.set(reason, unlogged);
  }

  /** Logs the counts of reasons that were not logged within the last minute. */
  log(nowMs: number): void {
    for (const [reason, unlogged] of this.#unlogged) {
      if (unlogged.count === 0 || nowMs - unlogged.loggedAtMs < logEveryMs) continue;
      const fields = { port: this.#port, reason, count: unlogged.count };
      this.#log.warn(fields, 'connections ended by their limits');
      unlogged.count = 0;
      unlogged.loggedAtMs = nowMs;
    }
  }
}
