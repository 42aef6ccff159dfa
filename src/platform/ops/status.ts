import type { DataSetKind } from '../data-set-kinds.ts';
import type { Db } from '../database/database.ts';
import { engineOf } from '../database/dialect.ts';
import { listReplicas, type Replica } from '../database/replicas.ts';
import type { RevisionWatch } from '../database/revisions.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { listCorrections, type SeenCorrection } from '../publication/correction-store.ts';
import { listHeld } from '../publication/held-store.ts';
import type { RedisConnection } from '../redis/connection.ts';
import type { RunLog, RunReport } from '../schedule/run-log.ts';
import { type Clock, formatInstant, type IsoDate, momentIn, systemClock } from '../time.ts';
import type { UpstreamHealth } from '../upstream/upstream.ts';

/** How fresh a data set is in this process. */
export interface Freshness {
  readonly kind: DataSetKind;
  newestDate(): IsoDate | undefined;
  /** Publications that are due and not stored. */
  countMissed(nowMs: number): number;
}

/** What the database tells of a data set. */
type StoredStatus = {
  readonly lastRun: RunReport | null;
  readonly held: readonly {
    id: string;
    version: string;
    reasons: readonly string[];
    heldAt: string;
  }[];
  readonly corrections: readonly SeenCorrection[];
};

/** What is in the database is null while it cannot be asked. */
type DataSetStatus = {
  readonly newestVersion: IsoDate | null;
  /** Seconds since the newest version's day began in UTC; null before the first. */
  readonly ageSeconds: number | null;
  readonly publicationsMissed: number;
} & { readonly [Name in keyof StoredStatus]: StoredStatus[Name] | null };

/** What waits to be delivered to subscribers. */
export type Backlog = {
  readonly pending: number;
  /** How long the longest due delivery has been due; null when none is. */
  readonly oldestDueSeconds: number | null;
  readonly subscriptions: { readonly enabled: number; readonly disabled: number };
};

/** The answer of `/status`: how fresh everything is, and what waits for an operator. */
export type Status = {
  readonly now: string;
  readonly startedAt: string;
  readonly draining: boolean;
  readonly database: { readonly engine: string; readonly answering: boolean };
  /** Null without REDIS_URL. */
  readonly redis: { readonly answering: boolean } | null;
  /** The processes that serve; null while the database cannot be asked. */
  readonly replicas: readonly Pick<Replica, 'host' | 'pid' | 'startedAt'>[] | null;
  readonly dataSets: Readonly<Record<string, DataSetStatus>>;
  /** By name; what is beyond an upstream's health is its feature's own. */
  readonly upstreams: Readonly<Record<string, UpstreamHealth & Record<string, unknown>>>;
  /** Null while the database cannot be asked. */
  readonly webhooks: Backlog | null;
};

export type StatusParts = {
  readonly db: Db;
  readonly watch: RevisionWatch;
  readonly redis: RedisConnection | undefined;
  readonly clock: Clock;
  readonly runs: RunLog;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly dataSets: readonly Freshness[];
  readonly describeUpstreams: () => Status['upstreams'];
  readonly readBacklog: () => Promise<Backlog>;
  readonly startedAt: string;
  readonly isDraining: () => boolean;
};

/** What only the database knows. */
type Stored = {
  readonly replicas: Status['replicas'];
  readonly dataSets: Readonly<Record<string, StoredStatus>>;
  readonly webhooks: Backlog;
};

/** Works without the database as well: then it tells that, and what is known without it. */
export async function readStatus(parts: StatusParts): Promise<Status> {
  const { redis, watch } = parts;
  const nowMs = parts.clock.now();
  const stored = await readStored(parts);
  const dataSets: Record<string, DataSetStatus> = {};
  for (const dataSet of parts.dataSets) {
    const newest = dataSet.newestDate();
    dataSets[dataSet.kind] = {
      newestVersion: newest ?? null,
      ageSeconds:
        newest === undefined ? null : Math.trunc((nowMs - momentIn('UTC', newest, 0)) / 1_000),
      publicationsMissed: dataSet.countMissed(nowMs),
      ...(stored?.dataSets[dataSet.kind] ?? { lastRun: null, held: null, corrections: null }),
    };
  }
  return {
    now: formatInstant(nowMs),
    startedAt: parts.startedAt,
    draining: parts.isDraining(),
    database: {
      engine: engineOf(parts.db).name,
      answering: stored !== undefined && !watch.isLost,
    },
    redis: redis === undefined ? null : { answering: !redis.isAway },
    replicas: stored?.replicas ?? null,
    dataSets,
    upstreams: parts.describeUpstreams(),
    webhooks: stored?.webhooks ?? null,
  };
}

/** Undefined where the database does not answer; not asked at all while it is known to be lost. */
async function readStored(parts: StatusParts): Promise<Stored | undefined> {
  if (parts.watch.isLost) return undefined;
  try {
    const dataSets: Record<string, StoredStatus> = {};
    for (const { kind } of parts.dataSets) {
      const [lastRun] = await parts.runs.list(1, kind);
      const held = await listHeld(parts.db, kind);
      dataSets[kind] = {
        lastRun: lastRun ?? null,
        held: held.map(({ id, version, reasons, heldAt }) => ({ id, version, reasons, heldAt })),
        corrections: await listCorrections(parts.db, kind),
      };
    }
    // The machine's own time, like theirs.
    const replicas = await listReplicas(parts.db, systemClock.now());
    return {
      replicas: replicas.map(({ host, pid, startedAt }) => ({ host, pid, startedAt })),
      dataSets,
      webhooks: await parts.readBacklog(),
    };
  } catch (error) {
    parts.log.warn({ err: error }, 'database not readable for a status');
    return undefined;
  }
}

/** Brings the gauges up to date; called when they are read. Leaves out what the database cannot tell. */
export async function updateGauges(parts: StatusParts): Promise<void> {
  const { metrics, redis } = parts;
  const nowMs = parts.clock.now();
  for (const dataSet of parts.dataSets) {
    const { kind } = dataSet;
    metrics.missed.set({ kind }, dataSet.countMissed(nowMs));
    const newest = dataSet.newestDate();
    if (newest !== undefined) metrics.newest.set({ kind }, momentIn('UTC', newest, 0) / 1_000);
  }
  metrics.redisAnswering.set(redis?.isAway === true ? 0 : 1);
  const stored = await readStored(parts);
  metrics.databaseAnswering.set(stored === undefined ? 0 : 1);
  if (stored === undefined) return;
  for (const [kind, { held, corrections }] of Object.entries(stored.dataSets)) {
    metrics.held.set({ kind }, held.length);
    metrics.corrections.set({ kind }, corrections.length);
  }
  metrics.replicas.set(stored.replicas?.length ?? 0);
  metrics.webhookBacklog.set(stored.webhooks.pending);
  metrics.webhookOldestDue.set(stored.webhooks.oldestDueSeconds ?? 0);
}
