import type { ClockGuard } from '../../platform/time/clock-guard.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import type { Clock } from '../../platform/time/time.ts';
import type { Timers } from '../../platform/time/timers.ts';
import type { Proxy } from '../../platform/upstream/proxy.ts';
import { Upstream, type UpstreamHealth } from '../../platform/upstream/upstream.ts';
import { BlockBreaker } from '../calls/block-breaker.ts';
import type { BlockSharing } from '../calls/block-sharing.ts';
import { AnswerCache } from './cache.ts';
import type { CallerCalls } from '../calls/caller-calls.ts';
import { VatChecks } from './check.ts';
import { CheckMetrics } from './check-metrics.ts';
import { type OwnAnswer, OwnQuestion } from '../calls/own-question.ts';
import { callsMax, Protection } from '../calls/protection.ts';
import { Refusals } from '../calls/refusals.ts';
import type { Requester } from '../numbers/requester.ts';
import { SharedAnswers } from './shared-answers.ts';
import { RegistryQueries } from '../stored/attempts/registry-queries.ts';
import type { RegistryCode } from '../numbers/vat-number.ts';
import { RegistryClient } from '../registries/registry-client.ts';
import { vies } from '../registries/vies/vies.ts';

type Parts = {
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
  /** Counts the calls to the registry that callers wait for, and the questions of the service's own. */
  readonly calls: Pick<CallerCalls, 'begin' | 'countOwn'>;
  /** Left out, this process judges refusals alone. */
  readonly sharing?: BlockSharing;
  /** VIES_REQUESTER. */
  readonly requester?: Requester | undefined;
};

/** Creates the VAT checks with all parts that only they use. */
export function createVatChecks(parts: Parts): {
  readonly checks: VatChecks;
  /** VIES and each Member State in `/status`. */
  readonly describe: () => UpstreamHealth & Record<string, unknown>;
  /** Queries the registry for stored checks, through the same protection and with the same metrics. */
  readonly queries: RegistryQueries;
  readonly protection: Protection;
  /** Forgets the number that the service would ask about for itself. */
  readonly forget: () => void;
  /** Aborts calls under way. A stop calls this after running requests have ended. */
  readonly cutOff: () => void;
  /** Cuts calls off, and closes the connections. */
  readonly close: () => Promise<void>;
} {
  const { redis, clock, metrics, timers } = parts;
  const closing = new AbortController();
  const upstream = openUpstream(parts);
  const { timeoutMs, calls } = parts;
  const own = new OwnQuestion(parts.requester);
  const registry = new RegistryClient(vies, upstream, {
    url: parts.viesUrl,
    onAnswered: own.note.bind(own),
  });
  const ask = async () => {
    calls.countOwn();
    return own.ask(registry, closing.signal);
  };
  const protection = new Protection(timers, createRefusals({ ...parts, ask }));
  const checkMetrics = new CheckMetrics({ clock, log: parts.log, metrics, protection });
  const common = { registry, protection, metrics: checkMetrics, timeoutMs, timers, clock, calls };
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
    queries: new RegistryQueries({ ...common, closing: closing.signal }),
    protection,
    forget: own.forget.bind(own),
    cutOff,
    close: async () => {
      cutOff();
      await upstream.close();
    },
  };
}

function openUpstream(parts: Parts): Upstream {
  const { clock, clockGuard, metrics, timers, proxy, contact = '' } = parts;
  return new Upstream('vies', {
    clock,
    clockGuard,
    metrics,
    timers,
    contact,
    proxy,
    // The service's own question has no place among the calls.
    connections: callsMax + 1,
    keepAliveMs: 4_000,
    // Longer than the hard timeout, so that an address that swallows packets is a timeout and not a failure.
    connectTimeoutMs: parts.timeoutMs + 1_000,
    isConfidential: true,
  });
}

/** Connects the judgement of refusals with the one that is stored for all processes. */
export function createRefusals({
  clock,
  sharing,
  ask,
}: {
  readonly clock: Clock;
  readonly sharing?: BlockSharing;
  readonly ask: () => Promise<OwnAnswer>;
}): Refusals {
  if (sharing === undefined) return new Refusals({ block: new BlockBreaker(clock), clock, ask });
  const block = new BlockBreaker(clock, sharing);
  const refusals = new Refusals({ block, clock, ask, sharing });
  sharing.onStored = (stored) => block.follow(stored);
  sharing.onAsked = (asked) => refusals.follow(asked);
  return refusals;
}
