import type { Agent } from 'undici';
import type { Metrics } from '../metrics.ts';
import { type Clock, formatInstant } from '../time.ts';
import { systemTimers, type Timers } from '../timers.ts';
import { exchange, type ExchangeAnswer, type ExchangeRequest } from './exchange.ts';
import { type AgentLimits, createUpstreamAgent } from './upstream-agent.ts';
import { UpstreamError, type UpstreamFailureKind, upstreamFailureKinds } from './upstream-error.ts';
import { userAgentOf } from './user-agent.ts';

/** How an upstream has been doing since this process started. */
export type UpstreamHealth = {
  lastSuccessAt: string | null;
  lastFailureAt: string | null;
  lastFailure: { readonly kind: UpstreamFailureKind; readonly message: string } | null;
  /** Failures in a row, 0 after a success. */
  failures: number;
};

type UpstreamParts = AgentLimits & {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Time for deadlines; the machine's unless given. */
  readonly timers?: Timers;
  /** The setting CONTACT; none unless given. */
  readonly contact?: string;
  /** Its answers are about people, so a failure is described without quoting them. */
  readonly isConfidential?: boolean;
};

/**
 * One upstream: its connections, its health and its metrics.
 *
 * The upstream clients (`tedb-client`, `ecb-client`) know requests and answers; this records how exchanges end.
 */
export class Upstream {
  readonly name: string;
  readonly health: UpstreamHealth = {
    lastSuccessAt: null,
    lastFailureAt: null,
    lastFailure: null,
    failures: 0,
  };
  readonly #agent: Agent;
  readonly #parts: UpstreamParts;
  readonly #userAgent: string;

  constructor(name: string, parts: UpstreamParts) {
    this.name = name;
    this.#parts = parts;
    this.#userAgent = userAgentOf(parts.contact ?? '');
    this.#agent = createUpstreamAgent(parts);
  }

  async exchange<T>(
    sent: Omit<ExchangeRequest, 'upstream' | 'timers' | 'userAgent'>,
    read: (answer: ExchangeAnswer) => Promise<T>,
  ): Promise<T> {
    const { operation } = sent;
    const { clock, metrics, timers = systemTimers } = this.#parts;
    const startedMs = performance.now();
    let outcome: UpstreamFailureKind | 'answered' = 'answered';
    try {
      const own = { upstream: this.name, timers, userAgent: this.#userAgent };
      const result = await exchange(this.#agent, { ...sent, ...own }, read);
      this.health.lastSuccessAt = formatInstant(clock.now());
      this.health.failures = 0;
      return result;
    } catch (error) {
      if (error instanceof UpstreamError) {
        outcome = error.kind;
        this.#recordFailure(error);
      }
      throw error;
    } finally {
      const seconds = (performance.now() - startedMs) / 1_000;
      metrics.upstreamCalls.inc({ upstream: this.name, operation, outcome });
      metrics.upstreamSeconds.observe({ upstream: this.name, operation }, seconds);
    }
  }

  /** Breaks off what is under way and closes every connection. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #recordFailure(error: UpstreamError): void {
    if (error.kind === 'cancelled') return;
    this.health.lastFailureAt = formatInstant(this.#parts.clock.now());
    const { kind, operation } = error;
    const isQuoted = this.#parts.isConfidential !== true || !quoting.includes(kind);
    const message = isQuoted
      ? error.message
      : `${this.name}: ${operation}: ${upstreamFailureKinds[kind].means}`;
    this.health.lastFailure = { kind, message };
    this.health.failures += 1;
  }
}

/** The failures whose message quotes the answer. */
const quoting: readonly UpstreamFailureKind[] = ['schema', 'malformed', 'encoding'];
