import type { Db } from '../database/database.ts';
import type { Metrics } from '../metrics.ts';
import { listCorrections, type SeenCorrection } from '../publication/correction-store.ts';
import { listHeld, type PublicationKind } from '../publication/held-store.ts';
import type { RunLog, RunReport } from '../schedule/run-log.ts';
import { type Clock, formatInstant, type IsoDate, momentIn } from '../time.ts';
import type { UpstreamHealth } from '../upstream/upstream.ts';

/** One of the things that are published, as far as freshness is concerned. */
export interface DataSet {
  readonly kind: PublicationKind;
  newestDate(): IsoDate | null;
  /** Publications that are due and not here. */
  countMissed(nowMs: number): number;
}

type DataSetStatus = {
  readonly newestVersion: IsoDate | null;
  /** Seconds since the newest version's day began in UTC; null before the first. */
  readonly ageSeconds: number | null;
  readonly publicationsMissed: number;
  readonly lastRun: RunReport | null;
  readonly held: readonly {
    id: string;
    version: string;
    reasons: readonly string[];
    heldAt: string;
  }[];
  readonly corrections: readonly SeenCorrection[];
};

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
  readonly dataSets: Readonly<Record<string, DataSetStatus>>;
  /** By name; what is beyond an upstream's health is its feature's own. */
  readonly upstreams: Readonly<Record<string, UpstreamHealth & Record<string, unknown>>>;
  readonly webhooks: Backlog;
};

export type StatusParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly runs: RunLog;
  readonly metrics: Metrics;
  readonly dataSets: readonly DataSet[];
  readonly describeUpstreams: () => Status['upstreams'];
  readonly readBacklog: () => Promise<Backlog>;
  readonly startedAt: string;
  readonly isDraining: () => boolean;
};

export async function readStatus(parts: StatusParts): Promise<Status> {
  const nowMs = parts.clock.now();
  const dataSets: Record<string, DataSetStatus> = {};
  for (const dataSet of parts.dataSets) {
    const { kind } = dataSet;
    const newest = dataSet.newestDate();
    const [lastRun] = await parts.runs.list(1, kind);
    dataSets[kind] = {
      newestVersion: newest,
      ageSeconds: newest === null ? null : Math.trunc((nowMs - momentIn('UTC', newest, 0)) / 1_000),
      publicationsMissed: dataSet.countMissed(nowMs),
      lastRun: lastRun ?? null,
      held: (await listHeld(parts.db, kind)).map(({ id, version, reasons, heldAt }) => ({
        id,
        version,
        reasons,
        heldAt,
      })),
      corrections: await listCorrections(parts.db, kind),
    };
  }
  return {
    now: formatInstant(nowMs),
    startedAt: parts.startedAt,
    draining: parts.isDraining(),
    dataSets,
    upstreams: parts.describeUpstreams(),
    webhooks: await parts.readBacklog(),
  };
}

/** Brings the gauges up to date; called when they are read. Leaves out what the database cannot tell. */
export async function updateGauges(parts: StatusParts): Promise<void> {
  const { metrics } = parts;
  const nowMs = parts.clock.now();
  for (const dataSet of parts.dataSets) {
    const { kind } = dataSet;
    metrics.missed.set({ kind }, dataSet.countMissed(nowMs));
    const newest = dataSet.newestDate();
    if (newest !== null) metrics.newest.set({ kind }, momentIn('UTC', newest, 0) / 1_000);
    metrics.held.set({ kind }, (await listHeld(parts.db, kind)).length);
    metrics.corrections.set({ kind }, (await listCorrections(parts.db, kind)).length);
  }
  const { pending, oldestDueSeconds } = await parts.readBacklog();
  metrics.webhookBacklog.set(pending);
  metrics.webhookOldestDue.set(oldestDueSeconds ?? 0);
}
