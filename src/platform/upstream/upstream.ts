import type { Dispatcher } from 'undici';
import type { ClockGuard } from '../time/clock-guard.ts';
import type { Metrics } from '../metrics.ts';
import { type Clock, formatInstant } from '../time/time.ts';
import { systemTimers, type Timers } from '../time/timers.ts';
import { readDate } from './check-answer.ts';
import { exchange, type ExchangeAnswer, type ExchangeRequest } from './exchange.ts';
import { type AgentLimits, createUpstreamAgent, userAgentOf } from './upstream-agent.ts';
import { UpstreamError, type UpstreamFailureKind, upstreamFailureKinds } from './upstream-error.ts';

/** How an upstream has been doing since this process started. */
export type UpstreamHealth = {
  lastSuccessAt: string | null;
  lastFailureAt: string | null;
  lastFailure: { readonly kind: UpstreamFailureKind; readonly message: string } | null;
  /** Failures in a row, 0 after a success. */
  failures: number;
  /**
   * Seconds by which the clock of this machine was ahead of the `Date` of the newest answer, negative if it was behind; null
   * before the first answer, and for an answer without `Date`, which is not compared.
   */
  clockAheadSeconds: number | null;
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
  /** Learns the `Date` of each answer; without it nothing is compared. */
  readonly clockGuard?: ClockGuard;
  /** Its answers are published, so one whose `Date` differs from the clock by more than an hour is refused (contract C17a). */
  readonly isPublished?: boolean;
};

/**
 * One upstream: its connections, its health and its metrics.
 *
 * The clients of upstreams (`rates/tedb-client.ts`, `fx/ecb/client.ts`) know requests and answers; this records how exchanges end.
 */
export class Upstream {
  readonly name: string;
  readonly health: UpstreamHealth = {
    lastSuccessAt: null,
    lastFailureAt: null,
    lastFailure: null,
    failures: 0,
    clockAheadSeconds: null,
  };
  readonly #agent: Dispatcher;
  readonly #parts: UpstreamParts;
  readonly #userAgent: string;

  constructor(name: string, parts: UpstreamParts) {
    this.name = name;
    this.#parts = parts;
    this.#userAgent = userAgentOf(parts.contact ?? '');
    this.#agent = createUpstreamAgent(parts);
  }

  async exchange<T>(
    sent: Omit<ExchangeRequest, 'upstream' | 'timers' | 'userAgent' | 'proxy'>,
    read: (answer: ExchangeAnswer) => Promise<T>,
  ): Promise<T> {
    const { operation } = sent;
    const { clock, metrics, timers = systemTimers } = this.#parts;
    const startedMs = performance.now();
    let outcome: UpstreamFailureKind | 'answered' = 'answered';
    try {
      const { proxy } = this.#parts;
      const own = { upstream: this.name, timers, userAgent: this.#userAgent, proxy };
      const result = await exchange(this.#agent, { ...sent, ...own }, async (answer) => {
        const dateMs = readDate(answer);
        const arrivedMs = performance.now();
        // The `Date` counts only if the upstream has answered: an error page may be that of a proxy.
        const content = await read(answer);
        this.#compareClock(answer, dateMs, performance.now() - arrivedMs);
        return content;
      });
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

  /** Compares the clock with the `Date` of an answer that was read; throws if it must not be published. */
  #compareClock({ at }: ExchangeAnswer, dateMs: number | undefined, readingMs: number): void {
    const { clockGuard, isPublished } = this.#parts;
    const nowByDateMs = dateMs === undefined ? undefined : dateMs + readingMs;
    const compared = clockGuard?.compare(this.name, nowByDateMs);
    this.health.clockAheadSeconds =
      compared === undefined ? null : Math.round(compared.aheadMs / 1_000);
    if (compared?.isWrong !== true || isPublished !== true) return;
    throw new UpstreamError('clock', at, describeDifference(compared.aheadMs));
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

const unitsMs = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

function describeDifference(aheadMs: number): string {
  const ms = Math.abs(aheadMs);
  const [unit, unitMs] = unitsMs.find(([, ofUnit]) => ms >= 2 * ofUnit) ?? unitsMs[2];
  const count = Math.round(ms / unitMs);
  return (
    `the clock of this machine is ${count} ${unit}s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the upstream, ` +
    'so nothing is published; set the clock by NTP'
  );
}

/** The failures whose message quotes the answer. */
const quoting: readonly UpstreamFailureKind[] = ['schema', 'malformed', 'encoding'];
