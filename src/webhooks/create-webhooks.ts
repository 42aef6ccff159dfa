import type { FastifyInstance } from 'fastify';
import { Agent, type Dispatcher } from 'undici';
import type { ClockTrust } from '../platform/time/clock-guard.ts';
import type { Config } from '../platform/config/options.ts';
import type { Db } from '../platform/database/database.ts';
import { inPortions } from '../platform/database/portions.ts';
import type { Charge } from '../platform/http/routes/routes.ts';
import type { Log } from '../platform/log/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { createProxyAgent, type Proxy } from '../platform/upstream/proxy.ts';
import { Ticker } from '../platform/schedule/ticker.ts';
import type { Clock } from '../platform/time/time.ts';
import { createAddressPolicy } from './network/address-class.ts';
import { type AttemptParts, DeliveryAttempts } from './delivery/delivery-attempts.ts';
import { addDeliveryRoutes } from './delivery/routes.ts';
import { DeliveryDispatcher } from './delivery/dispatcher.ts';
import type { EventSources } from '../events/event-types.ts';
import { createResolver } from './network/resolve.ts';
import type { SecretKeys } from '../platform/encryption/secret-keys.ts';
import { addSubscriptionRoutes } from './subscriptions/routes.ts';
import { guardProxiedReceivers } from './network/proxied-receivers.ts';
import { createSsrfGuard, type SsrfGuard } from './network/ssrf-guard.ts';
import {
  disableFailing,
  pruneDeliveries,
  repairDueTimes,
  suspendDeliveries,
} from './delivery/maintenance.ts';

/** Interval at which failing subscriptions are disabled and old rows deleted. */
const maintenanceMs = 60_000;
/** Deadline for resolving a receiver's name when a subscription is created or changed. */
const checkTimeoutMs = 5_000;
/** Time for which an idle connection is kept; the guard checks each new one. */
const keepAliveMs = 4_000;

export type Webhooks = {
  addRoutes(app: FastifyInstance, charge: Charge): void;
  /** Starts the delivery. */
  start(): void;
  /** Lets the dispatcher look for due deliveries. */
  wake(): void;
  /** Forgets the bodies in memory: in a database that went back, an event of the same id may have another one. */
  forgetBodies(): void;
  /** Begins no further attempts; resolves when those under way have ended. May be called more than once. */
  stopDelivery(): Promise<void>;
  stop(): Promise<void>;
};

type Parts = EventSources & {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly clockGuard: ClockTrust;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly secretKeys: SecretKeys;
  /** Resolves when every replica answers with what is in the database. */
  readonly catchUp: () => Promise<void>;
};

/** Creates the feature; delivery is not started. Throws if SECRET_KEY is not the key in use. */
export async function createWebhooks(parts: Parts): Promise<Webhooks> {
  const { config, db, clock, log, secretKeys } = parts;
  // Otherwise a wrong key would only be noticed at the next event, perhaps months later.
  await secretKeys.determineKeyInUse(db);

  const { agent, check, proxy } = createReceiverAgent(config);
  const attempts = createAttempts({ ...parts, proxy }, agent);
  const attempt: DeliveryAttempts['begin'] = async (deliveries) => attempts.begin(deliveries);
  const dispatcher = new DeliveryDispatcher({ ...parts, attempt });
  const maintenance = new Ticker(async () => maintain(parts), {
    intervalMs: maintenanceMs,
    log,
    failure: 'maintenance of webhooks failed',
  });
  let stopping: Promise<unknown> | undefined;
  const stopDelivery = async (): Promise<void> => {
    stopping ??= Promise.all([dispatcher.stop(), maintenance.stop()]);
    await stopping;
  };
  const routeParts = {
    db,
    clock,
    secretKeys,
    urlPolicy: { allowHttp: config.webhookAllowHttp, allowPorts: config.webhookAllowPorts },
    checkReceiver: async (url: URL) => check(url, AbortSignal.timeout(checkTimeoutMs)),
    wake: () => dispatcher.wake(),
  };
  return {
    addRoutes: (app, charge) => {
      addSubscriptionRoutes(app, { ...routeParts, charge });
      addDeliveryRoutes(app, { ...routeParts, charge });
    },
    start: () => {
      dispatcher.start();
      maintenance.start();
    },
    wake: () => dispatcher.wake(),
    forgetBodies: () => attempts.forgetBodies(),
    stopDelivery,
    stop: async () => {
      await stopDelivery();
      await agent.destroy();
    },
  };
}

/** Connections to receivers, through WEBHOOK_PROXY if it is set, and the check of a receiver's URL (contract C30). */
function createReceiverAgent({
  webhookAllowCidrs: allowCidrs,
  webhookDenyCidrs: denyCidrs,
  webhookProxy: url,
}: Config): {
  readonly agent: Dispatcher;
  readonly check: SsrfGuard['check'];
  readonly proxy?: Proxy;
} {
  const isAllowed = createAddressPolicy(allowCidrs, denyCidrs);
  const guard = createSsrfGuard({
    isAllowed,
    // Names in private networks are often known to the machine and not to DNS.
    resolve: createResolver({ useSystem: allowCidrs.length > 0 }),
  });
  if (url === undefined) {
    const agent = new Agent({ connect: guard.connect, keepAliveTimeout: keepAliveMs });
    return { agent, check: async (to, signal) => guard.check(to, signal) };
  }
  const allowPrivateNames = allowCidrs.length > 0;
  const proxied = guardProxiedReceivers({ guard, isAllowed, allowPrivateNames });
  const proxy: Proxy = { variable: 'WEBHOOK_PROXY', url };
  const agent = createProxyAgent(proxy, { keepAliveMs, connectTimeoutMs: 10_000 });
  return { agent: agent.compose(proxied.interceptor), check: proxied.check, proxy };
}

function createAttempts(
  parts: Parts & Pick<AttemptParts, 'proxy'>,
  dispatcher: Dispatcher,
): DeliveryAttempts {
  const scheduleSeconds = parts.config.webhookRetrySchedule;
  return new DeliveryAttempts({ ...parts, dispatcher, scheduleSeconds, random: Math.random });
}

async function maintain({ db, clock, clockGuard, config, log }: Parts): Promise<void> {
  // A clock that is days ahead would disable subscriptions that work, and delete what is young.
  const nowMs = clockGuard.isTrusted ? clock.now() : undefined;
  const disabled = await disableFailing(db, nowMs);
  if (disabled.failing + disabled.keyEnded > 0) log.warn(disabled, 'subscriptions disabled');
  await inPortions(async () => suspendDeliveries(db));
  if (nowMs === undefined) return;
  await repairDueTimes(db, nowMs, config.webhookRetrySchedule);
  await pruneDeliveries(db, nowMs);
}
