import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** Each reason is logged at most this often. */
const logEveryMs = 60_000;

/** Why a limit ended a connection. */
const reasons = ['address', 'connections', 'unread', 'memory'] as const;
export type EndReason = (typeof reasons)[number];

type Parts = {
  readonly port: 'api' | 'operations';
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'closedConnections'>;
};

/** Counts the connections that a limit has ended, and logs their number once a minute. */
export class EndedConnections {
  readonly #parts: Parts;
  readonly #unlogged = new Map<EndReason, number>();
  readonly #loggedAtMs = new Map<EndReason, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
    const { port, metrics } = parts;
    // With a 0 from the first scrape on, the first connection that is ended is visible as a rate.
    for (const reason of reasons) metrics.closedConnections.inc({ port, reason }, 0);
  }

  count(reason: EndReason): void {
    const { port, metrics } = this.#parts;
    metrics.closedConnections.inc({ port, reason });
    this.#unlogged.set(reason, (this.#unlogged.get(reason) ?? 0) + 1);
  }

  /** Logs the counts of reasons that were not logged within the last minute. */
  log(nowMs: number): void {
    const { port, log } = this.#parts;
    for (const [reason, count] of this.#unlogged) {
      if (nowMs - (this.#loggedAtMs.get(reason) ?? -Infinity) < logEveryMs) continue;
      log.warn({ port, reason, count }, 'connections ended by their limits');
      this.#loggedAtMs.set(reason, nowMs);
      this.#unlogged.delete(reason);
    }
  }
}
