import { hostname } from 'node:os';
import { type BankJobs, createBankJobs } from './banks.ts';
import { addressesOf } from './registries.ts';
import { createReader, type DatabaseOptions, openLoggedDatabase } from './open-database.ts';
import { EcbClient } from '../fx/ecb/client.ts';
import { FxRefresh } from '../fx/ecb/refresh.ts';
import { ClockGuard } from '../platform/time/clock-guard.ts';
import type { Config } from '../platform/config/options.ts';
import {
  type BasicKind,
  type DataSetKind,
  listKinds,
} from '../platform/publication/data-set-kinds.ts';
import type { Db } from '../platform/database/database.ts';
import { RevisionWatch, type Topic } from '../platform/database/replicas/revisions.ts';
import { WriteWatch } from '../platform/database/write-watch.ts';
import type { Log } from '../platform/log/log.ts';
import { createMetrics, type Metrics } from '../platform/metrics.ts';
import type { StatusSources } from '../platform/ops/status.ts';
import type { PublicationJob } from '../platform/publication/data-set.ts';
import type { JobParts } from '../platform/publication/job-runs.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import { Leases } from '../platform/schedule/lease.ts';
import { RunLog } from '../platform/schedule/run-log.ts';
import { type Clock, systemClock } from '../platform/time/time.ts';
import { systemTimers, type Timers } from '../platform/time/timers.ts';
import { chooseProxy } from '../platform/upstream/proxy.ts';
import { jobRetryPolicy, type RetryPolicy } from '../platform/upstream/retry.ts';
import { Upstream, type UpstreamHealth } from '../platform/upstream/upstream.ts';
import { RatesRefresh } from '../rates/refresh.ts';
import { TedbClient } from '../rates/tedb-client.ts';
import { BlockSharing } from '../vat-check/calls/block-sharing.ts';
import { CallerCalls } from '../vat-check/calls/caller-calls.ts';
import { createVatChecks } from '../vat-check/look-up/create-vat-checks.ts';
import type { VatChecks } from '../vat-check/look-up/check.ts';
import type { StoredChecksParts } from '../vat-check/stored/create-stored-checks.ts';
import { FaultNotes } from '../vat-check/stored/attempts/fault-notes.ts';
import { deletePublicEvents } from '../webhooks/delete-events.ts';
import { announce } from '../events/outbox.ts';

/** Inputs of the composition; tests and the demo give their own. */
export type CoreOptions = DatabaseOptions & {
  /** The service's time; leases use the machine's. */
  readonly clock?: Clock;
  /** Time for the deadlines and breakers of VAT checks. */
  readonly timers?: Timers;
  /** Elapsed time in milliseconds, by which jumps of the clock are found. By default a clock that is given never jumps. */
  readonly uptime?: () => number;
  readonly retry?: RetryPolicy;
  /** The least time between two requests to a national bank; a second by default. */
  readonly bankPauseMs?: number;
};

/** The parts that commands share with the server: the database, the jobs, the checks. */
export type Core = {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  /** Says whether `clock` is trusted. */
  readonly clockGuard: ClockGuard;
  readonly db: Db;
  /** Not connected yet; undefined without REDIS_URL. */
  readonly redis: RedisConnection | undefined;
  readonly metrics: Metrics;
  readonly runs: RunLog;
  readonly watch: RevisionWatch;
  readonly writes: WriteWatch;
  readonly tedb: TedbClient;
  readonly checks: VatChecks;
  /** The parts of VAT checks that stored checks share with `/vatcheck`. */
  readonly vat: StoredChecksParts['vat'];
  /** Time for the deadlines and breakers of VAT checks. */
  readonly timers: Timers;
  readonly describeUpstreams: StatusSources['describeUpstreams'];
  /** The data sets of this service. */
  readonly kinds: readonly DataSetKind[];
  /** The job of each of them. */
  readonly jobs: { readonly rates: RatesRefresh; readonly fx: FxRefresh } & BankJobs['jobs'];
  /** Cancels the jobs' calls to upstreams. */
  interrupt(): void;
  /** Interrupts, and closes all parts. */
  stop(): Promise<void>;
};

/** Logs the first of several failures in a row and the recovery: for the database, and for each topic. */
function createOutageLog(log: Log): ConstructorParameters<typeof RevisionWatch>[1] {
  const failing = new Set<Topic | undefined>();
  return (error, topic) => {
    if (error === undefined) {
      if (!failing.delete(topic)) return;
      if (topic === undefined) log.info('database answers again');
      else log.info({ topic }, 'changes are followed again');
    } else if (!failing.has(topic)) {
      failing.add(topic);
      if (topic === undefined) log.error({ err: error }, 'database not readable');
      else log.error({ err: error, topic }, 'changes not followed, trying again');
    }
  };
}

/** Loads the driver only if REDIS_URL is set. */
async function createRedis({ redisUrl }: Config, log: Log): Promise<RedisConnection | undefined> {
  if (redisUrl === undefined) return undefined;
  const { RedisConnection } = await import('../platform/redis/connection.ts');
  const readUrl = createReader('REDIS_URL', redisUrl, log);
  return new RedisConnection(redisUrl.reveal(), { log, readUrl });
}

/** The health of each upstream now, by name. */
function describeHealth(
  upstreams: Readonly<Record<string, Upstream>>,
): Readonly<Record<string, UpstreamHealth>> {
  return Object.fromEntries(
    Object.entries(upstreams).map(([name, { health }]) => [name, { ...health }]),
  );
}

/**
 * Creates the VAT checks. The faults of Member States that they see, their calls, and blocks by the registry are written to the
 * database.
 */
function createVat(
  config: Config,
  parts: Pick<Core, 'redis' | 'clock' | 'clockGuard' | 'timers' | 'log' | 'metrics' | 'db'>,
): ReturnType<typeof createVatChecks> &
  Core['vat'] & {
    readonly loadBlock: () => Promise<void>;
  } {
  const { viesTimeoutMs: timeoutMs, contact } = config;
  const faults = new FaultNotes(parts);
  const calls = new CallerCalls({ ...parts, perDay: config.viesCallsPerDay });
  const sharing = new BlockSharing(parts);
  const vat = createVatChecks({
    ...parts,
    registries: addressesOf(config, parts),
    onGroupFault: faults.note.bind(faults),
    calls,
    sharing,
    timeoutMs,
    contact,
  });
  return {
    ...vat,
    loadBlock: async () => sharing.load(),
    calls,
    close: async () => {
      await vat.close();
      await Promise.all([faults.stop(), calls.write(), sharing.stop()]);
    },
  };
}

/** The job of a data set that this service has. */
export function jobOf({ jobs }: Pick<Core, 'jobs'>, kind: DataSetKind): PublicationJob {
  const job = jobs[kind];
  if (job === undefined) throw new Error(`${kind} is not in FX_BANKS`);
  return job;
}

/** Creates the jobs of the data sets that every service has. */
function createJobs(
  { ratesGate, fxGate, flagCdnUrl }: Config,
  shared: JobParts & { readonly log: Log; readonly tedb: TedbClient; readonly ecb: EcbClient },
): Pick<Core['jobs'], 'rates' | 'fx'> {
  const ofRates = { gate: ratesGate, announce, deleteEventsOf: deletePublicEvents, flagCdnUrl };
  return {
    rates: new RatesRefresh({ ...shared, ...ofRates }),
    fx: new FxRefresh({ ...shared, gate: fxGate }),
  } satisfies Record<BasicKind, PublicationJob>;
}

/** Opens the database and creates the jobs; starts nothing. */
export async function createCore(options: CoreOptions): Promise<Core> {
  const { config, log, clock = systemClock, retry = jobRetryPolicy } = options;
  const elapsed = clock === systemClock ? () => performance.now() : () => clock.now();
  const { uptime = elapsed } = options;
  const clockGuard = new ClockGuard({ clock, uptime, log });
  const metrics = createMetrics();
  const writes = new WriteWatch(log);
  const db = await openLoggedDatabase(options, writes);
  const stopping = new AbortController();
  const runs = new RunLog(db, { clock, log, metrics });
  const leases = new Leases(db, { clock: systemClock, holder: `${hostname()} ${process.pid}` });
  const watch = new RevisionWatch(db, createOutageLog(log));

  const { contact } = config;
  const published = { clock, clockGuard, isPublished: true, metrics, contact };
  const shared = {
    db,
    runs,
    leases,
    clock,
    log,
    signal: stopping.signal,
    onPublished: async () => watch.poll(),
  };
  const bankParts = { shared, published, retry, pauseMs: options.bankPauseMs };
  const bankJobs = createBankJobs(config, bankParts);
  const upstreams = {
    tedb: new Upstream('tedb', { ...published, proxy: chooseProxy(config.tedbUrl, config) }),
    ecb: new Upstream('ecb', { ...published, proxy: chooseProxy(config.ecbUrl, config) }),
    ...bankJobs.upstreams,
  };
  const tedb = new TedbClient(upstreams.tedb, { url: config.tedbUrl, retry });
  const ecb = new EcbClient(upstreams.ecb, { folderUrl: config.ecbUrl, retry });
  const jobs = { ...createJobs(config, { ...shared, tedb, ecb }), ...bankJobs.jobs };

  const redis = await createRedis(config, log);
  const timers = options.timers ?? systemTimers;
  const vat = createVat(config, { redis, clock, clockGuard, timers, log, metrics, db });
  // A block by the registry does not end with a process.
  await vat.loadBlock();
  watch.on('block', vat.loadBlock);
  watch.on('forgotten', async () => vat.forget());
  return {
    config,
    log,
    clock,
    clockGuard,
    db,
    redis,
    metrics,
    runs,
    watch,
    writes,
    tedb,
    checks: vat.checks,
    vat,
    timers,
    describeUpstreams: () => ({ ...describeHealth(upstreams), ...vat.describe() }),
    kinds: listKinds(config),
    jobs,
    interrupt: () => stopping.abort(),
    stop: async () => {
      stopping.abort();
      await watch.stop();
      const closing = Object.values(upstreams).map(async (upstream) => upstream.close());
      await Promise.all([...closing, vat.close()]);
      redis?.stop();
      await db.destroy();
    },
  };
}
