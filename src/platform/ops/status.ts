import type { ClockDoubt, ClockGuard } from '../time/clock-guard.ts';
import { engineOf } from '../database/dialect.ts';
import { listReplicas, type Replica } from '../database/replicas/replicas.ts';
import type { WriteWatch } from '../database/write-watch.ts';
import type { Metrics } from '../metrics.ts';
import type { RedisConnection } from '../redis/connection.ts';
import { type Clock, formatInstant, midnightOf, systemClock } from '../time/time.ts';
import type { UpstreamHealth } from '../upstream/upstream.ts';
import {
  type DataSetSources,
  type DataSetStatus,
  describeDataSets,
  isLaterThanToday,
  readIfAnswering,
  readStoredStatuses,
} from './data-set-status.ts';

/** Deliveries that are still to be made, and the subscriptions that they are for. */
export type Backlog = {
  readonly pending: number;
  /** How long the longest due delivery has been due; null if none is. */
  readonly oldestDueSeconds: number | null;
  readonly subscriptions: { readonly enabled: number; readonly disabled: number };
};

/** The readers of the event log. */
export type EventLogStatus = {
  /** Requests that wait for an event, in this process. */
  readonly waitingReaders: number;
  /** Age of the oldest open transaction that has written an event and that readers wait for; null if there is none. */
  readonly heldBackSeconds: number | null;
  /** Null unless the database was found to have gone back to an earlier state within the last seven days (rule E8). */
  readonly wentBack: WentBack | null;
};

/** A database that went back: when it was noticed, how many events are gone at least, and a sentence. */
type WentBack = { readonly at: string; readonly events: number; readonly reason: string };

/** The calls to the registry of VAT numbers today, and the stored checks that are still to be queried. */
export type RegistryWork = {
  readonly callsToday: {
    readonly background: number;
    /** Those that a caller waited for. */
    readonly callers: number;
    /** The most background calls of a day; null for no limit. */
    readonly perDay: number | null;
  };
  readonly waitingChecks: number;
  /** When the last of them will have been queried at this pace; null if none waits. */
  readonly estimatedDoneAt: string | null;
  /** The same of each other registry that is enabled, by its name; left out if there is none. */
  readonly others?: Readonly<Record<string, WorkOfRegistry>>;
};

/** The calls to a registry other than VIES today, and the stored checks that wait for it. */
type WorkOfRegistry = Pick<RegistryWork, 'waitingChecks' | 'estimatedDoneAt'> & {
  readonly callsToday: { readonly background: number; readonly callers: number };
};

/** The answer of `/status` on the operations port. */
type Status = {
  readonly now: string;
  readonly startedAt: string;
  readonly draining: boolean;
  /** The clock of this process's machine; `reason` and `aheadSeconds` are null if it is trusted. */
  readonly clock: { readonly trusted: boolean } & {
    readonly [Name in keyof ClockDoubt]: ClockDoubt[Name] | null;
  };
  readonly database: {
    readonly engine: string;
    readonly answering: boolean;
    /** Why it refuses writes; null unless it does. */
    readonly refusesWrites: string | null;
    /** Null also while the database is away. */
    readonly wentBack: WentBack | null;
  };
  /** Null without REDIS_URL. */
  readonly redis: { readonly answering: boolean } | null;
  /** The processes that serve; null while the database is away. */
  readonly replicas: readonly Pick<Replica, 'host' | 'pid' | 'startedAt'>[] | null;
  readonly dataSets: Readonly<Record<string, DataSetStatus>>;
  readonly upstreams: UpstreamStatuses;
  /** Null while the database is away. */
  readonly webhooks: Backlog | null;
  /** Null while the database is away. */
  readonly registry: RegistryWork | null;
  /** Stored checks that wait for an attempt, by Member State; null while the database is away. */
  readonly waitingChecks: Counts | null;
  /** Watches that have an error, by the error; null while the database is away. */
  readonly failedWatches: Counts | null;
  /** Territories that the newest VAT rates name and this service does not know; null while the database is away. */
  readonly unknownTerritories: readonly string[] | null;
  /** Null while the database is away. */
  readonly events: Omit<EventLogStatus, 'wentBack'> | null;
};

/** Counts by a code: of a Member State, or of an error. */
type Counts = Readonly<Record<string, number>>;

/** The stored checks that wait for an attempt. */
export type WaitingChecks = {
  /** By Member State. */
  readonly byState: Counts;
  /** Those that were created over a day ago. */
  readonly late: number;
};

/** By name; each feature may add fields of its own to an upstream's health. */
type UpstreamStatuses = Readonly<Record<string, UpstreamHealth & Record<string, unknown>>>;

/** The sources of the status of the whole service. */
export type StatusSources = DataSetSources & {
  readonly writes: WriteWatch;
  readonly redis: RedisConnection | undefined;
  readonly clock: Clock;
  readonly clockGuard: Pick<ClockGuard, 'doubt'>;
  readonly metrics: Metrics;
  readonly describeUpstreams: () => UpstreamStatuses;
  readonly readBacklog: () => Promise<Backlog>;
  readonly readRegistryWork: () => Promise<RegistryWork>;
  readonly readWaitingChecks: () => Promise<WaitingChecks>;
  readonly readFailedWatches: () => Promise<Counts>;
  readonly readUnknownTerritories: () => Promise<readonly string[]>;
  readonly readEventLog: () => Promise<EventLogStatus>;
  readonly startedAt: string;
  readonly isDraining: () => boolean;
  /** Whether the upstreams are simulated by the demo. */
  readonly isDemo: boolean;
};

/** The status for operators. Without the database it has everything that this process knows by itself. */
export async function readStatus(sources: StatusSources): Promise<Status> {
  const { redis, watch } = sources;
  const nowMs = sources.clock.now();
  const stored = await readStored(sources);
  return {
    now: formatInstant(nowMs),
    startedAt: sources.startedAt,
    draining: sources.isDraining(),
    clock: describeClock(sources),
    database: {
      engine: engineOf(sources.db).name,
      answering: stored !== undefined && !watch.isLost,
      refusesWrites: sources.writes.refusal ?? null,
      wentBack: stored?.events.wentBack ?? null,
    },
    redis: redis === undefined ? null : { answering: !redis.isAway },
    replicas: stored?.replicas ?? null,
    dataSets: describeDataSets(sources.dataSets, stored?.dataSets, nowMs),
    upstreams: sources.describeUpstreams(),
    webhooks: stored?.webhooks ?? null,
    registry: stored?.registry ?? null,
    waitingChecks: stored?.waitingChecks.byState ?? null,
    failedWatches: stored?.failedWatches ?? null,
    unknownTerritories: stored?.unknownTerritories ?? null,
    events: stored === undefined ? null : pickReaders(stored.events),
  };
}

function pickReaders({ waitingReaders, heldBackSeconds }: EventLogStatus): Status['events'] {
  return { waitingReaders, heldBackSeconds };
}

function describeClock({ clockGuard }: StatusSources): Status['clock'] {
  const { doubt } = clockGuard;
  const { reason = null, aheadSeconds = null } = doubt ?? {};
  return { trusted: doubt === undefined, reason, aheadSeconds };
}

/** Updates the gauges of `/metrics`. A gauge whose value is in the database keeps its last one while that is away. */
export async function updateGauges(sources: StatusSources): Promise<void> {
  const { metrics, redis } = sources;
  const nowMs = sources.clock.now();
  for (const dataSet of sources.dataSets) {
    const { kind } = dataSet;
    metrics.missed.set({ kind }, dataSet.countMissed(nowMs));
    metrics.laterThanToday.set({ kind }, isLaterThanToday(dataSet, nowMs) ? 1 : 0);
    const newest = dataSet.newestDate();
    if (newest !== undefined) metrics.newest.set({ kind }, midnightOf(newest) / 1_000);
  }
  // A clock that is not confirmed since the start needs no operator.
  const reason = sources.clockGuard.doubt?.reason ?? 'started';
  metrics.clockDoubted.set(reason === 'started' ? 0 : 1);
  const blockedUntil = sources.describeUpstreams()['vies']?.['blockedUntil'] ?? null;
  metrics.registryBlocked.set(blockedUntil === null ? 0 : 1);
  metrics.redisAnswering.set(redis?.isAway === true ? 0 : 1);
  metrics.databaseWritable.set(sources.writes.refusal === undefined ? 1 : 0);
  const stored = await readStored(sources);
  metrics.databaseAnswering.set(stored === undefined ? 0 : 1);
  if (stored === undefined) return;
  for (const [kind, { shown }] of Object.entries(stored.dataSets)) {
    const { held, corrections } = shown;
    metrics.held.set({ kind }, held.length);
    metrics.corrections.set({ kind }, corrections.length);
  }
  metrics.replicas.set(stored.replicas.length);
  const { background, callers } = stored.registry.callsToday;
  metrics.registryCalls.set({ kind: 'background' }, background);
  metrics.registryCalls.set({ kind: 'callers' }, callers);
  metrics.waitingChecks.reset();
  for (const [state, count] of Object.entries(stored.waitingChecks.byState)) {
    metrics.waitingChecks.set({ member_state: state }, count);
  }
  metrics.lateChecks.set(stored.waitingChecks.late);
  for (const [error, count] of Object.entries(stored.failedWatches)) {
    metrics.failedWatches.set({ error }, count);
  }
  metrics.waitingReaders.set(stored.events.waitingReaders);
  metrics.databaseWentBack.set(stored.events.wentBack === null ? 0 : 1);
  metrics.eventsHeldBack.set(stored.events.heldBackSeconds ?? 0);
  metrics.webhookBacklog.set(stored.webhooks.pending);
  metrics.webhookOldestDue.set(stored.webhooks.oldestDueSeconds ?? 0);
}

/** Everything that is only in the database; undefined while the database is away. */
async function readStored(sources: StatusSources) {
  return readIfAnswering(sources, async () => {
    // Replicas write the time of their machines, so it is compared with the time of this one.
    const replicas = await listReplicas(sources.db, systemClock.now());
    return {
      dataSets: await readStoredStatuses(sources),
      replicas: replicas.map(({ host, pid, startedAt }) => ({ host, pid, startedAt })),
      webhooks: await sources.readBacklog(),
      registry: await sources.readRegistryWork(),
      waitingChecks: await sources.readWaitingChecks(),
      failedWatches: await sources.readFailedWatches(),
      unknownTerritories: await sources.readUnknownTerritories(),
      events: await sources.readEventLog(),
    };
  });
}
