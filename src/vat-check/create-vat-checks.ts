import type { ClockGuard } from '../platform/time/clock-guard.ts';
import type { Log } from '../platform/log/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import type { Clock } from '../platform/time/time.ts';
import type { Timers } from '../platform/time/timers.ts';
import type { Proxy } from '../platform/upstream/proxy.ts';
import { Upstream, type UpstreamHealth } from '../platform/upstream/upstream.ts';
import type { BlockBreaker } from './block-breaker.ts';
import { AnswerCache } from './cache.ts';
import { VatChecks } from './check.ts';
import { CheckMetrics } from './check-metrics.ts';
import { callsMax, Protection } from './protection.ts';
import { SharedAnswers } from './shared-answers.ts';
import { RegistryQueries } from './stored/attempts/registry-queries.ts';
import type { RegistryCode } from './vat-number.ts';
import { ViesClient } from './vies-client.ts';

/** Creates the VAT checks with all parts that only they use. */
export function createVatChecks(parts: {
  readonly viesUrl: string;
  /** The proxy on the way to VIES; undefined for none. */
  readonly proxy?: Proxy | undefined;
  /** The setting CONTACT; empty for none. */
  readonly contact?: string;
  readonly timeoutMs: number;
  /** Undefined without REDIS_URL: each process then looks numbers up for itself. */
  readonly redis: RedisConnection | undefined;
  readonly clock: Clock;
  /** Learns the `Date` of answers. */
  readonly clockGuard: ClockGuard;
  /** Time for deadlines and breakers. */
  readonly timers: Timers;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Called when a look-up of `/vatcheck` has seen a fault of a Member State. */
  readonly onStateFault: (state: RegistryCode) => void;
  /** Called before each call to the registry that a caller waits for. */
  readonly onCall: () => void;
  readonly block: BlockBreaker;
}): {
  readonly checks: VatChecks;
  /** VIES and each Member State in `/status`. */
  readonly describe: () => UpstreamHealth & Record<string, unknown>;
  /** Queries the registry for stored checks, through the same protection and with the same metrics. */
  readonly queries: RegistryQueries;
  readonly protection: Protection;
  /** Aborts calls under way. A stop calls this after running requests have ended. */
  readonly cutOff: () => void;
  /** Cuts calls off, and closes the connections. */
  readonly close: () => Promise<void>;
} {
  const { redis, clock, metrics, timers } = parts;
  const closing = new AbortController();
  const upstream = new Upstream('vies', {
    clock,
    clockGuard: parts.clockGuard,
    metrics,
    timers,
    contact: parts.contact ?? '',
    proxy: parts.proxy,
    connections: callsMax,
    keepAliveMs: 4_000,
    // Longer than the hard timeout, so that an address that swallows packets is a timeout and not a failure.
    connectTimeoutMs: parts.timeoutMs + 1_000,
    isConfidential: true,
  });
  const protection = new Protection(timers, parts.block);
  const checkMetrics = new CheckMetrics({ clock, log: parts.log, metrics, protection });
  const vies = new ViesClient(upstream, { url: parts.viesUrl });
  const { timeoutMs, onCall } = parts;
  const common = { vies, protection, metrics: checkMetrics, timeoutMs, timers, onCall };
  const checks = new VatChecks({
    ...common,
    onStateFault: parts.onStateFault,
    cache: new AnswerCache(clock),
    shared: redis === undefined ? undefined : new SharedAnswers(redis, { viesUrl: parts.viesUrl }),
    closing: closing.signal,
  });
  const cutOff = (): void => closing.abort();
  return {
    checks,
    describe: () => ({ ...upstream.health, ...checkMetrics.describe() }),
    queries: new RegistryQueries({ ...common, clock, closing: closing.signal }),
    protection,
    cutOff,
    close: async () => {
      cutOff();
      await upstream.close();
    },
  };
}
