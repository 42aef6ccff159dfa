import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import type { Clock } from '../platform/time.ts';
import type { Timers } from '../platform/timers.ts';
import { Upstream, type UpstreamHealth } from '../platform/upstream/upstream.ts';
import { AnswerCache } from './cache.ts';
import { VatChecks } from './check.ts';
import { CheckObserver } from './check-metrics.ts';
import { Protection } from './protection.ts';
import { SharedAnswers } from './shared-answers.ts';
import { ViesClient } from './vies-client.ts';

/** Connections that are kept to VIES, as many as calls may be under way (contract C24). */
const connections = 20;

/** Puts the VAT checks together with what is only theirs. */
export function assembleVatChecks(parts: {
  readonly viesUrl: string;
  /** The setting CONTACT; empty for none. */
  readonly contact?: string;
  readonly timeoutMs: number;
  /** Undefined where each process asks for itself. */
  readonly redis: RedisConnection | undefined;
  readonly clock: Clock;
  /** What deadlines and breakers go by. */
  readonly timers: Timers;
  readonly log: Log;
  readonly metrics: Metrics;
}): {
  readonly checks: VatChecks;
  /** What `/status` shows of VIES and of each Member State. */
  readonly describe: () => UpstreamHealth & Record<string, unknown>;
  /** Breaks off what is under way; a stop waits for running requests before it calls this. */
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
    // Sooner, and an address that swallows packets would be a failure instead of a timeout.
    connectTimeoutMs: parts.timeoutMs + 1_000,
    isConfidential: true,
  });
  const protection = new Protection(timers);
  const observer = new CheckObserver({ clock, log: parts.log, metrics, protection });
  const checks = new VatChecks({
    vies: new ViesClient(upstream, { url: parts.viesUrl }),
    cache: new AnswerCache(clock),
    shared:
      redis === undefined
        ? undefined
        : new SharedAnswers(redis, { viesUrl: parts.viesUrl, timers }),
    protection,
    observer,
    timeoutMs: parts.timeoutMs,
    timers,
    signal: closing.signal,
  });
  return {
    checks,
    describe: () => ({ ...upstream.health, ...observer.describe() }),
    close: async () => {
      closing.abort();
      await upstream.close();
    },
  };
}
