import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { assembleAccess } from './access/assemble.ts';
import { addUsageRoute } from './access/routes.ts';
import { EcbClient } from './fx/ecb-client.ts';
import { FxRefresh } from './fx/refresh.ts';
import { addFxRoutes } from './fx/routes.ts';
import { createFxTick } from './fx/schedule.ts';
import * as fxStore from './fx/store.ts';
import { missedPublications } from './fx/timetable.ts';
import type { Config } from './platform/config/options.ts';
import { type Db, openDatabase } from './platform/database/database.ts';
import { RevisionWatch } from './platform/database/revisions.ts';
import { createApp } from './platform/http/app.ts';
import { closeWithin, listen } from './platform/http/listening.ts';
import { PublishedSnapshots } from './platform/http/published-snapshots.ts';
import type { Log } from './platform/log.ts';
import { createMetrics, type Metrics } from './platform/metrics.ts';
import { createOpsApp } from './platform/ops/ops-app.ts';
import type { DataSet, StatusParts } from './platform/ops/status.ts';
import { Leases } from './platform/schedule/lease.ts';
import { RunLog } from './platform/schedule/run-log.ts';
import { Ticker } from './platform/schedule/ticker.ts';
import { type Clock, formatInstant, type IsoDate, systemClock } from './platform/time.ts';
import { jobRetryPolicy, type RetryPolicy } from './platform/upstream/retry.ts';
import { Upstream } from './platform/upstream/upstream.ts';
import { RatesRefresh } from './rates/refresh.ts';
import { addRatesRoutes } from './rates/routes.ts';
import { createRatesTick } from './rates/schedule.ts';
import * as ratesStore from './rates/store.ts';
import { TedbClient } from './rates/tedb-client.ts';
import { missedVersions } from './rates/timetable.ts';
import { assembleVatChecks } from './vat-check/assemble.ts';
import type { VatChecks } from './vat-check/check.ts';
import { addVatCheckRoutes } from './vat-check/routes.ts';
import { announce } from './webhooks/outbox.ts';

/** What is given from outside and differs in tests and in the demo. */
export type ComposeOptions = {
  readonly config: Config;
  readonly log: Log;
  /** The service's time; leases keep the machine's. */
  readonly clock?: Clock;
  readonly retry?: RetryPolicy;
};

/** The part that commands share with the server: the database and what writes into it. */
export type Core = {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Db;
  readonly metrics: Metrics;
  readonly runs: RunLog;
  readonly watch: RevisionWatch;
  readonly tedb: TedbClient;
  readonly checks: VatChecks;
  readonly describeUpstreams: StatusParts['describeUpstreams'];
  readonly rates: RatesRefresh;
  readonly fx: FxRefresh;
  /** Breaks off what is being asked of upstreams. */
  interrupt(): void;
  /** Interrupts, and closes everything. */
  stop(): Promise<void>;
};

/** Opens the database and puts the jobs together; starts nothing. */
export async function composeCore(options: ComposeOptions): Promise<Core> {
  const { config, log, clock = systemClock, retry = jobRetryPolicy } = options;
  const metrics = createMetrics();
  const db = await openDatabase(config.databaseUrl);
  const stopping = new AbortController();
  const runs = new RunLog(db, { clock, log, metrics });
  const holder = `${hostname()} ${process.pid} ${randomUUID()}`;
  const leases = new Leases(db, { clock: systemClock, holder });
  const watch = new RevisionWatch(db, (error) => {
    log.error({ err: error }, 'database not readable');
  });

  const tedbUpstream = new Upstream('tedb', { clock, metrics });
  const ecbUpstream = new Upstream('ecb', { clock, metrics });
  const tedb = new TedbClient(tedbUpstream, { url: config.tedbUrl, retry });
  const ecb = new EcbClient(ecbUpstream, { folderUrl: config.ecbUrl, retry });
  const shared = {
    db,
    runs,
    leases,
    clock,
    log,
    signal: stopping.signal,
    onPublished: async () => watch.poll(),
  };
  const rates = new RatesRefresh({
    ...shared,
    tedb,
    gate: config.ratesGate,
    announce,
    flagCdnUrl: config.flagCdnUrl,
  });
  const fx = new FxRefresh({ ...shared, ecb, gate: config.fxGate });

  const { viesUrl, viesTimeoutMs } = config;
  const vat = assembleVatChecks({ viesUrl, timeoutMs: viesTimeoutMs, clock, metrics });
  return {
    config,
    log,
    clock,
    db,
    metrics,
    runs,
    watch,
    tedb,
    checks: vat.checks,
    describeUpstreams: () => ({
      tedb: { ...tedbUpstream.health },
      ecb: { ...ecbUpstream.health },
      vies: vat.describe(),
    }),
    rates,
    fx,
    interrupt: () => stopping.abort(),
    stop: async () => {
      stopping.abort();
      await watch.stop();
      await Promise.all([tedbUpstream.close(), ecbUpstream.close(), vat.close()]);
      await db.destroy();
    },
  };
}

/** How often the jobs are asked whether they are due. */
const tickMs = 5_000;

/** The running service. */
export type Service = {
  readonly core: Core;
  /** Where it listens, once started. */
  readonly apiUrl: string;
  readonly opsUrl: string;
  /** Asks both jobs once whether they are due, and waits for what they do. */
  tick(): Promise<void>;
  /** From now on the jobs ask themselves. */
  startJobs(): void;
  /** Ends in order: no new work, what runs is finished, then everything closes. */
  stop(): Promise<void>;
};

/**
 * Starts the service: it answers, and fetches nothing by itself until its jobs are started.
 *
 * Each part registers its end as it begins; a start that fails halfway undoes what it did.
 */
export async function startService(options: ComposeOptions): Promise<Service> {
  await using starting = new AsyncDisposableStack();
  const core = await composeCore(options);
  starting.defer(async () => core.stop());
  const { config, log, clock, db, watch } = core;
  let draining = false;
  const isDraining = (): boolean => draining;

  const published = { rates: createPublished(db, ratesStore), fx: createPublished(db, fxStore) };
  watch.on('rates', async () => published.rates.refresh());
  watch.on('fx', async () => published.fx.refresh());
  await published.rates.refresh();
  await published.fx.refresh();
  watch.start();

  const { guard, charge, limiter, useWriter } = assembleAccess(core);
  starting.defer(async () => useWriter.stop());
  await useWriter.start();
  const { corsOrigins, trustedProxies } = config;
  const api = await createApp({
    ...core,
    corsOrigins,
    trustedProxies,
    isDraining,
    guard: (request) => guard.check(request),
  });
  guard.decorate(api);
  addUsageRoute(api, limiter);
  addRatesRoutes(api, { db, published: published.rates, charge });
  addFxRoutes(api, { db, published: published.fx, charge });
  addVatCheckRoutes(api, { checks: core.checks, charge });
  const ops = createOpsApp({
    ...core,
    isDraining,
    startedAt: formatInstant(clock.now()),
    dataSets: describeData(published),
  });
  starting.defer(async () => ops.close());
  const opsUrl = await listen(ops, 'OPS_PORT', { host: config.opsHost, port: config.opsPort });
  starting.defer(async () => closeWithin(api, log));
  const apiUrl = await listen(api, 'PORT', { host: config.host, port: config.port });

  const ticks = createTicks(core, published);
  log.info({ apiUrl, opsUrl }, 'listening');

  const running = starting.move();
  return {
    core,
    apiUrl,
    opsUrl,
    tick: async () => {
      for (const tick of ticks) await tick();
    },
    startJobs: () => {
      for (const tick of ticks) {
        const ticker = new Ticker(tick, {
          intervalMs: tickMs,
          log,
        });
        ticker.start();
        running.defer(async () => ticker.stop());
      }
    },
    stop: async () => {
      draining = true;
      core.interrupt();
      await running.disposeAsync();
    },
  };
}

function createPublished(
  db: Db,
  store: Pick<typeof ratesStore | typeof fxStore, 'findLatest' | 'findBody'>,
): PublishedSnapshots<IsoDate> {
  return new PublishedSnapshots<IsoDate>({
    findLatest: async () => store.findLatest(db),
    findBody: async (date) => store.findBody(db, date),
  });
}

type Published = {
  readonly rates: PublishedSnapshots<IsoDate>;
  readonly fx: PublishedSnapshots<IsoDate>;
};

function describeData({ rates, fx }: Published): DataSet[] {
  return [
    {
      kind: 'rates',
      newestDate: () => rates.newestDate,
      countMissed: (nowMs) => missedVersions(rates.newestDate, nowMs),
    },
    {
      kind: 'fx',
      newestDate: () => fx.newestDate,
      countMissed: (nowMs) => missedPublications(fx.newestDate, nowMs),
    },
  ];
}

function createTicks(core: Core, published: Published): readonly (() => Promise<void>)[] {
  return [
    createRatesTick({
      ...core,
      refresh: core.rates,
      newestDate: () => published.rates.newestDate,
    }),
    createFxTick({ ...core, refresh: core.fx, newestDate: () => published.fx.newestDate }),
  ];
}
