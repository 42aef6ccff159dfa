import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import type { Clock } from '../platform/time.ts';
import type { Timers } from '../platform/timers.ts';
import { Upstream, type UpstreamHealth } from '../platform/upstream/upstream.ts';
import { AnswerCache } from './cache.ts';
import { VatChecks } from './check.ts';
import { CheckMetrics } from './check-metrics.ts';
import { Protection } from './protection.ts';
import { SharedAnswers } from './shared-answers.ts';
import { ViesClient } from './vies-client.ts';

/** Connections to VIES, as many as calls may be under way (contract C24). */
const connections = 20;

/** Creates the VAT checks with all parts that only they use. */
export function createVatChecks(parts: {
  readonly viesUrl: string;
  /** The setting CONTACT; empty for none. */
  readonly contact?: string;
  readonly timeoutMs: number;
  /** Undefined without REDIS_URL: each process then looks numbers up for itself. */
  readonly redis: RedisConnection | undefined;
  readonly clock: Clock;
  /** Time for deadlines and breakers. */
  readonly timers: Timers;
  readonly log: Log;
  readonly metrics: Metrics;
}): {
  readonly checks: VatChecks;
  /** VIES and each Member State in `/status`. */
  readonly describe: () => UpstreamHealth & Record<string, unknown>;
  /** Aborts calls under way. A stop calls this after running requests have ended. */
  readonly close: () => Promise<void>;
} {
  const { redis, clock, metrics, timers } = parts;
  const closing = new AbortController();
  const upstream = new Upstream('vies', {
    clock,
    metrics,
    timers,
    contact: parts.contact ?? '',
    connections,
    keepAliveMs: 4_000,
    // Longer than the hard timeout, so that an address that swallows packets is a timeout and not a failure.
    connectTimeoutMs: parts.timeoutMs + 1_000,
    isConfidential: true,
  });
  const protection = new Protection(timers);
  const checkMetrics = new CheckMetrics({ clock, log: parts.log, metrics, protection });
  const checks = new VatChecks({
    vies: new ViesClient(upstream, { url: parts.viesUrl }),
    cache: new AnswerCache(clock),
    shared:
      redis === undefined
        ? undefined
        : new SharedAnswers(redis, { viesUrl: parts.viesUrl, timers }),
    protection,
    metrics: checkMetrics,
    timeoutMs: parts.timeoutMs,
    timers,
    closing: closing.signal,
  });
  return {
    checks,
    describe: () => ({ ...upstream.health, ...checkMetrics.describe() }),
    close: async () => {
      closing.abort();
      await upstream.close();
    },
  };
}
