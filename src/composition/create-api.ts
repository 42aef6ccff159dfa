import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createAccess } from '../access/create-access.ts';
import { addUsageRoute } from '../access/routes.ts';
import type { Core } from './core.ts';
import { events } from './events.ts';
import { readBuiltFiles } from '../console/built-files.ts';
import { addConsole } from '../console/routes.ts';
import type { EventLog } from '../events/log/open-event-log.ts';
import type { ConnectionGuard } from '../platform/connections/connection-guard.ts';
import { pathOf } from '../platform/config/public-url.ts';
import type { Presence } from '../platform/database/replicas/replicas.ts';
import type { SecretKeys } from '../platform/encryption/secret-keys.ts';
import type { PublicPath } from '../platform/http/public-path.ts';
import type { ResponseCache } from '../platform/http/responses/response-cache.ts';
import { CachedRoutes } from '../platform/http/routes/cached-routes.ts';
import { collectRoutes, type DescribedRoute } from '../platform/http/routes/described-routes.ts';
import { addReferenceRoutes } from '../platform/http/routes/reference-routes.ts';
import { AccessLog } from '../platform/http/server/access-log.ts';
import { createApp } from '../platform/http/server/app.ts';
import { answerKnownTargets } from '../platform/http/server/known-targets.ts';
import { addStatusRoute } from '../platform/ops/status-route.ts';
import type { StatusSources } from '../platform/ops/status.ts';
import { addDataSetRoutes, type KnownFx, type Published } from './published-data-sets.ts';
import { createEventChanges } from '../rates/event-changes.ts';
import type { KnownErrata } from '../rates/errata/known-errata.ts';
import { addRoutesOfStored, type StoredRouteParts } from './stored-checks.ts';
import { EnabledRegistries } from '../vat-check/registries/enabled.ts';
import { addVatCheckRoutes } from '../vat-check/look-up/routes.ts';
import { WatchWorker } from '../vat-check/watches/watch-worker.ts';
import { announceAll } from '../events/outbox.ts';
import { createWebhooks, type Webhooks } from '../webhooks/create-webhooks.ts';

/** Creates the API with its routes, not listening yet, and the delivery of webhooks, not started. */
export async function createApi(
  core: Core,
  parts: {
    readonly published: Published;
    readonly knownFx: KnownFx;
    readonly errata: KnownErrata;
    readonly responseCache: ResponseCache;
    readonly stored: Pick<StoredRouteParts, 'storedChecks' | 'evidence'>;
    readonly eventLog: EventLog;
    readonly presence: Presence;
    readonly secretKeys: SecretKeys;
    readonly isDraining: () => boolean;
    readonly statusSources: StatusSources;
    readonly connections: ConnectionGuard;
    /** Releases the parts that are created here. */
    readonly starting: AsyncDisposableStack;
  },
): Promise<{
  readonly api: FastifyInstance;
  readonly routes: readonly DescribedRoute[];
  readonly webhooks: Webhooks;
  /** Not started. */
  readonly watches: WatchWorker;
}> {
  const { config, watch, log } = core;
  const accessLog = new AccessLog({ log, requests: core.metrics.requests });
  const { published, knownFx, errata, presence, isDraining } = parts;
  const { statusSources, connections, starting, responseCache: cache } = parts;
  const access = createAccess({ ...core, countReplicas: () => presence.count });
  const { authenticator, charge, mostOf, prepareQuotaCharge, flusher, freeLimits } = access;
  starting.defer(async () => flusher.stop());
  await flusher.start();
  const watches = new WatchWorker({
    ...core,
    prepareCharge: prepareQuotaCharge,
    announce: announceAll,
  });
  starting.defer(async () => watches.stop());
  const webhooks = await createWebhooksOf(core, parts.secretKeys);
  starting.defer(async () => webhooks.stop());
  // Registered after the refresh of the snapshots, so that a receiver finds the rows.
  for (const kind of core.kinds) watch.on(kind, () => webhooks.wake());
  watch.onGoneBack(() => webhooks.forgetBodies());

  const { publicUrl } = config;
  const publicPath = pathOf(publicUrl);
  const checkKey = async (request: FastifyRequest): Promise<void> => authenticator.check(request);
  const how = { publicPath, isDraining, accessLog, connections, checkKey, freeLimits };
  const api = await createApp({ ...core, ...config, ...how });
  const routes = collectRoutes(api);
  const cachedRoutes = new CachedRoutes({ app: api, charge, cache, publicPath, freeLimits });
  authenticator.decorate(api);
  addBuiltConsole(api, log, publicPath);
  const describeCalls = async (keyId: string) => core.vat.calls.describe(keyId);
  addUsageRoute(api, { ...access, describeCalls });
  addDataSetRoutes(published, { ...core, knownFx, errata, cachedRoutes });
  addVatCheckRoutes(core.checks, cachedRoutes, new EnabledRegistries(core.config.registries));
  addRoutesOfStored(api, core, { charge, mostOf, ...parts.stored });
  addStatusRoute(api, statusSources, charge);
  webhooks.addRoutes(api, charge);
  parts.eventLog.addRoutes(api, { charge, checkKey, events });
  addReferenceRoutes(api, { publicUrl });
  const early = { ...core, ...config, ...parts, ...access, cachedRoutes, accessLog, publicPath };
  answerKnownTargets(api.server, early);
  return { api, routes, webhooks, watches };
}

async function createWebhooksOf(core: Core, secretKeys: SecretKeys): Promise<Webhooks> {
  const { db, watch, kinds } = core;
  const catchUp = async (): Promise<void> => {
    await watch.poll();
    for (const kind of kinds) await watch.untilAllFollow(kind);
  };
  return createWebhooks({ ...core, secretKeys, ...createEventChanges(db), catchUp });
}

function addBuiltConsole(api: FastifyInstance, log: Core['log'], publicPath: PublicPath): void {
  const files = readBuiltFiles();
  if (files.size === 0) log.warn('the console is not built: npm run build:console');
  addConsole(api, publicPath, files);
}
