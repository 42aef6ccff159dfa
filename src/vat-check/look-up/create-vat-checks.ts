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
import type { OwnAnswer, OwnQuestion } from '../calls/own-question.ts';
import { callsMax, Protection } from '../calls/protection.ts';
import { Refusals } from '../calls/refusals.ts';
import { SharedAnswers } from './shared-answers.ts';
import { RegistryQueries } from '../stored/attempts/registry-queries.ts';
import type { Db } from '../../platform/database/database.ts';
import { AskedRegistry, type Controls } from '../calls/asked-registry.ts';
import { CallPace } from '../calls/call-pace.ts';
import type { Authorization, Registry, RegistryName } from '../registries/registry.ts';
import { RegistryClient } from '../registries/registry-client.ts';

type Parts = {
  /** The registries that are asked, VIES among them, each with its address. */
  readonly registries: readonly RegistryAddress[];
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
  readonly db: Db;
  /** Called when a look-up of `/vatcheck` has seen a fault of a Member State or of another registry. */
  readonly onGroupFault: (group: string) => void;
  /** Counts the calls to VIES that callers wait for, and the questions of the service's own. */
  readonly calls: Pick<CallerCalls, 'begin' | 'countOwn' | 'countReplicas'>;
  /** Left out, this process judges refusals by VIES alone, as it judges those of other registries. */
  readonly sharing?: BlockSharing;
};

/** A registry with its address, and what only it has. */
export type RegistryAddress = {
  readonly registry: Registry;
  readonly url: string;
  /** The proxy on the way to it; undefined for none. */
  readonly proxy?: Proxy | undefined;
  /** The question that the service asks for itself (rule K21a). */
  readonly own: OwnQuestion;
  /** Makes what keeps the tokens of the registry; left out if it needs none. */
  readonly authorize?: (upstream: Upstream) => Authorization;
  /** Left out if a "no" of the registry needs no control question. */
  readonly control?: (parts: { readonly db: Db; readonly clock: Clock }) => Controls;
};

/** Creates the VAT checks with all parts that only they use. */
export function createVatChecks(parts: Parts): {
  readonly checks: VatChecks;
  /** Each registry in `/status`, by its name. */
  readonly describe: () => Readonly<Record<string, UpstreamHealth & Record<string, unknown>>>;
  /** Queries registries for stored checks, through the same protection and with the same metrics. */
  readonly queries: RegistryQueries;
  readonly protectionOf: (name: RegistryName) => Protection;
  /** Forgets the numbers that the service would ask about for itself. */
  readonly forget: () => void;
  /** Aborts calls under way. A stop calls this after running requests have ended. */
  readonly cutOff: () => void;
  /** Cuts calls off, and closes the connections. */
  readonly close: () => Promise<void>;
} {
  const { redis, clock, timers, timeoutMs, calls } = parts;
  const closing = new AbortController();
  const opened = parts.registries.map((address) => openRegistry(address, parts, closing.signal));
  const byName = new Map(opened.map((one) => [one.asked.registry.name, one]));
  const registryOf = (name: RegistryName): AskedRegistry => {
    const found = byName.get(name);
    if (found === undefined) throw new Error(`the registry ${name} is not enabled`);
    return found.asked;
  };
  const protectionOf = (name: RegistryName) => registryOf(name).protection;
  const checkMetrics = new CheckMetrics({ ...parts, protectionOf });
  const common = { registryOf, metrics: checkMetrics, timeoutMs, timers, clock, calls };
  const [vies] = parts.registries;
  const checks = new VatChecks({
    ...common,
    onGroupFault: parts.onGroupFault,
    cache: new AnswerCache(clock),
    shared:
      redis === undefined ? undefined : new SharedAnswers(redis, { viesUrl: vies?.url ?? '' }),
    closing: closing.signal,
  });
  const cutOff = (): void => closing.abort();
  return {
    checks,
    describe: () =>
      Object.fromEntries(
        opened.map(({ asked: { registry }, upstream }) => [
          registry.name,
          {
            ...upstream.health,
            ...(registry.name === 'vies'
              ? checkMetrics.describe()
              : checkMetrics.describeOther(registry.name)),
          },
        ]),
      ),
    queries: new RegistryQueries({ ...common, closing: closing.signal }),
    protectionOf,
    forget: () => {
      for (const { own } of parts.registries) own.forget();
      for (const { controls } of opened) controls?.forget();
    },
    cutOff,
    close: async () => {
      cutOff();
      await Promise.all(opened.map(async ({ upstream }) => upstream.close()));
    },
  };
}

/** A registry with what ends with the process, and what forgets. */
type Opened = {
  readonly asked: AskedRegistry;
  readonly upstream: Upstream;
  readonly controls: Controls | undefined;
};

function openRegistry(
  { registry, url, proxy, own, authorize, control }: RegistryAddress,
  parts: Parts,
  signal: AbortSignal,
): Opened {
  const { calls, clock, timers, sharing } = parts;
  const { name, callsPerSecond: perSecond } = registry;
  const upstream = openUpstream(name, proxy, parts);
  const authorization = authorize?.(upstream);
  const controls = control?.(parts);
  const client = new RegistryClient(registry, upstream, {
    url,
    onAnswered: own.note.bind(own),
    ...(authorization && { authorization }),
  });
  const isVies = name === 'vies';
  const ask = async () => {
    // VIES_CALLS_PER_DAY is of VIES alone.
    if (isVies) calls.countOwn();
    return own.ask(client, signal);
  };
  const refusals = createRefusals({ clock, ask, ...(isVies && sharing && { sharing }) });
  const protection = new Protection(timers, refusals, name);
  const countReplicas = () => calls.countReplicas();
  const pace =
    perSecond === undefined
      ? undefined
      : new CallPace({ ...parts, registry: name, perSecond, countReplicas });
  const asked = new AskedRegistry({
    ...parts,
    registry,
    client,
    protection,
    ...(pace && { pace }),
    ...(controls && { controls }),
  });
  return { asked, upstream, controls };
}

function openUpstream(name: RegistryName, proxy: Proxy | undefined, parts: Parts): Upstream {
  const { clock, clockGuard, metrics, timers, contact = '' } = parts;
  return new Upstream(name, {
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
