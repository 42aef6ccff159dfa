import { type CoreOptions, createCore, type Core, jobOf } from './core.ts';
import { createApi } from './create-api.ts';
import { dataSets } from './data-sets.ts';
import { type EventLog, openEventLog } from '../events/log/open-event-log.ts';
import { hasKeys } from '../access/authentication/key-store.ts';
import { createEventRetention } from '../events/log/retention.ts';
import { deleteOldMarks } from '../platform/database/marks.ts';
import { Presence } from '../platform/database/replicas/replicas.ts';
import { SecretKeys } from '../platform/encryption/secret-keys.ts';
import { createConnectionGuards } from '../platform/connections/create-guards.ts';
import { ResponseCache } from '../platform/http/responses/response-cache.ts';
import { closeWithin, listen, withHost } from '../platform/http/server/listening.ts';
import { placesOf, requirePlaces } from '../platform/http/server/place.ts';
import type { DescribedRoute } from '../platform/http/routes/described-routes.ts';
import { openOperations } from '../platform/ops/open-operations.ts';
import { createEventChanges } from '../rates/event-changes.ts';
import { KnownErrata } from '../rates/errata/known-errata.ts';
import { createUnknownInLatest } from '../rates/territories/unknown-in-latest.ts';
import type { StatusSources } from '../platform/ops/status.ts';
import { createTick } from '../platform/publication/schedule.ts';
import { createHourly } from '../platform/schedule/hourly.ts';
import { Ticker } from '../platform/schedule/ticker.ts';
import { formatInstant, systemClock } from '../platform/time/time.ts';
import { vatfx } from '../platform/vatfx.ts';
import {
  createAllPublished,
  createKnownFx,
  describeFreshness,
  followPublications,
  type Published,
} from './published-data-sets.ts';
import { createRetentionOf, createStoredWithEvidence } from './stored-checks.ts';
import type { StoredChecks } from '../vat-check/stored/create-stored-checks.ts';
import { countWaitingChecks } from '../vat-check/stored/waiting-checks.ts';
import { countFailedWatches } from '../vat-check/watches/failed-watches.ts';
import { readBacklog } from '../webhooks/delivery/store.ts';

/** The interval at which each job is checked for being due. */
const tickMs = 5_000;

/** Inputs of the server. */
export type ServerOptions = CoreOptions & {
  /** Whether the upstreams are simulated by the demo; `/status` reports it to callers. Default: false. */
  readonly isDemo?: boolean;
};

/** The running server. */
export type Server = {
  readonly core: Core;
  /** The base URL of the API port. */
  readonly apiUrl: string;
  readonly opsUrl: string;
  /** The routes of the API, for the reference's generator. */
  readonly routes: readonly DescribedRoute[];
  /** Runs each job once if it is due, and waits for it. */
  tick(): Promise<void>;
  /** Makes the attempts of stored checks that are due, at most one of each Member State, and waits for them. */
  attemptDueChecks(): Promise<void>;
  /** Starts the tickers of the jobs, the background attempts of stored checks, and watches. */
  startJobs(): void;
  /** Starts the delivery of webhooks. */
  startDelivery(): void;
  /** Stops in order: no new work, then the requests and attempts under way end, then all parts close. */
  stop(): Promise<void>;
};

/** Creates the parts that commands have as well, with the connections and the checks of a start. */
async function createServerCore(options: ServerOptions): Promise<Core> {
  const { config, log } = options;
  return createCore({
    connections: config.databaseConnections,
    onOtherObjects: (objects) =>
      log.warn({ objects }, 'database has other objects than vatfx makes'),
    onMade: (database) => log.info({ database }, 'a new database was made'),
    ...options,
  });
}

/**
 * Starts the server: it answers requests, and fetches nothing until its jobs are started.
 *
 * Each part registers its release when it is created, so a start that fails releases what it has created.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const [apiPlace, opsPlace] = placesOf(options.config);
  await requirePlaces([apiPlace, opsPlace]);
  await using starting = new AsyncDisposableStack();
  const core = await createServerCore(options);
  starting.defer(async () => core.stop());
  const { config, log, clock, db, watch } = core;
  let draining = false;
  const isDraining = (): boolean => draining;

  const responseCache = new ResponseCache();
  const published = createAllPublished({ db, responseCache });
  const knownFx = createKnownFx(config);
  const errata = new KnownErrata(db, responseCache);
  await followPublications(core, { published, knownFx, errata });
  watch.start();

  const joined = await joinReplicas(core, starting);
  const eventLog = await openEventLog({ ...core, ...createEventChanges(db) });
  starting.defer(() => eventLog.stop());
  const stored = createStoredWithEvidence(core, joined.secretKeys);
  const { storedChecks } = stored;
  starting.defer(async () => storedChecks.stop());
  const statusSources: StatusSources = {
    ...core,
    ...createStatusReaders(core, { published, eventLog, storedChecks }),
    isDraining,
    isDemo: options.isDemo ?? false,
    startedAt: formatInstant(clock.now()),
    dataSets: describeFreshness(published, core.kinds),
  };
  const connections = createConnectionGuards(core);
  const known = { published, knownFx, errata, responseCache, connections: connections.api };
  const parts = { ...known, ...joined, stored, eventLog, isDraining, statusSources, starting };
  const { api, routes, webhooks, watches } = await createApi(core, parts);
  starting.defer(connections.api.watch(api.server));
  const operations = { place: opsPlace, connections: connections.operations, starting };
  const opsUrl = await openOperations(statusSources, operations);
  starting.defer(async () => api.close());
  const apiUrl = await listen(api, apiPlace);

  const ticks = createTicks(core, published);
  await logStart(core, { apiUrl, opsUrl });

  const running = starting.move();
  return {
    core,
    apiUrl,
    opsUrl,
    routes,
    tick: async () => {
      for (const tick of ticks) await tick();
    },
    attemptDueChecks: () => storedChecks.attemptDue(),
    startJobs: () => {
      startTickers(ticks, running, log);
      storedChecks.start();
      watches.start();
    },
    startDelivery: () => webhooks.start(),
    stop: async () => {
      draining = true;
      core.interrupt();
      // Attempts and requests under way end at the same time, not one after the other.
      void webhooks.stopDelivery();
      void storedChecks.stop();
      eventLog.stop();
      await closeWithin(api, log);
      await running.disposeAsync();
    },
  };
}

/** Logs where the server listens, and that callers need a key if there is none. */
async function logStart(
  { config, db, log }: Core,
  urls: Pick<Server, 'apiUrl' | 'opsUrl'>,
): Promise<void> {
  log.info(describeAddresses(config, urls), 'listening');
  if (!(await hasKeys(db))) log.info(`no API key yet: ${vatfx('keys create --name me')}`);
}

/** The addresses of the server, for its log. */
function describeAddresses(
  { host, opsHost, publicUrl }: Core['config'],
  { apiUrl, opsUrl }: Pick<Server, 'apiUrl' | 'opsUrl'>,
): object {
  const own = { apiUrl: withHost(apiUrl, host), opsUrl: withHost(opsUrl, opsHost) };
  return publicUrl === '' ? own : { ...own, publicUrl };
}

/** Registers this process among the replicas, with the ids of its secret keys. */
async function joinReplicas(
  core: Core,
  starting: AsyncDisposableStack,
): Promise<{ readonly presence: Presence; readonly secretKeys: SecretKeys }> {
  const { config, db, watch, writes, redis } = core;
  const secretKeys = SecretKeys.load(config);
  await redis?.start();
  const presence = new Presence({
    db,
    clock: systemClock,
    watch,
    writes,
    secretKeys: secretKeys.ids,
  });
  starting.defer(async () => presence.leave());
  await presence.join();
  core.vat.calls.countReplicas = () => presence.count;
  return { presence, secretKeys };
}

/** Reads the work that is still to be done and the remarks of features, for `/status` and `/metrics`. */
function createStatusReaders(
  { db, clock, watch }: Core,
  parts: {
    readonly published: Published;
    readonly eventLog: EventLog;
    readonly storedChecks: StoredChecks;
  },
): Pick<
  StatusSources,
  | 'readBacklog'
  | 'readRegistryWork'
  | 'readWaitingChecks'
  | 'readFailedWatches'
  | 'readEventLog'
  | 'readUnknownTerritories'
> {
  const { published, eventLog, storedChecks } = parts;
  return {
    readEventLog: async () => eventLog.describe(),
    readUnknownTerritories: createUnknownInLatest(db, () => published.rates.newestDate, watch),
    readBacklog: async () => readBacklog(db, clock.now()),
    readRegistryWork: async () => storedChecks.readWork(),
    readWaitingChecks: async () => countWaitingChecks(db, clock.now()),
    readFailedWatches: async () => countFailedWatches(db, clock.now()),
  };
}

function startTickers(
  ticks: ReturnType<typeof createTicks>,
  running: AsyncDisposableStack,
  log: Core['log'],
): void {
  for (const tick of ticks) {
    const ticker = new Ticker(tick, { intervalMs: tickMs, log, failure: 'tick failed' });
    ticker.start();
    running.defer(async () => ticker.stop());
  }
}

function createTicks(core: Core, published: Published): readonly (() => Promise<void>)[] {
  const jobs = core.kinds.map((kind) =>
    createTick(dataSets[kind], {
      ...core,
      job: jobOf(core, kind),
      newestDate: () => published[kind].newestDate,
    }),
  );
  const { eventsRetentionDays: retentionDays } = core.config;
  const deleteMarks = createHourly(core, async () => {
    await deleteOldMarks(core.db);
    return false;
  });
  const retentions = [createRetentionOf(core), createEventRetention({ ...core, retentionDays })];
  return [...jobs, ...retentions, deleteMarks];
}
