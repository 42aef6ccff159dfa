import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Agent } from 'undici';
import type { Config } from '../platform/config/options.ts';
import type { Db } from '../platform/database/database.ts';
import type { Charge } from '../platform/http/routes/routes.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { Ticker } from '../platform/schedule/ticker.ts';
import type { Clock } from '../platform/time.ts';
import { createAddressPolicy } from './network/address-class.ts';
import { Attempts } from './delivery/attempt.ts';
import { addDeliveryRoutes } from './delivery/routes.ts';
import { DeliveryDispatcher } from './delivery/dispatcher.ts';
import type { EventSources } from './event-types.ts';
import { pruneRequested } from './delivery/replay-limits.ts';
import { createResolver } from './network/resolve.ts';
import type { SecretKeys } from '../platform/encryption/secret-keys.ts';
import { addSubscriptionRoutes } from './subscriptions/routes.ts';
import { createTargetGuard, type TargetGuard } from './network/ssrf-guard.ts';
import { disableHopeless, pruneDeliveries, setAside } from './delivery/maintenance.ts';

/** How often subscriptions that nobody is behind are looked for, and what is too old is removed. */
const upkeepMs = 60_000;
/** For asking DNS when a subscription is made or changed. */
const checkTimeoutMs = 5_000;
/** Connections are kept this long between attempts; the guard looks at each new one. */
const keepAliveMs = 4_000;

export type Webhooks = {
  addRoutes(app: FastifyInstance, charge: Charge): void;
  /** Begins to deliver. */
  start(): void;
  /** Lets the dispatcher look for what is due. */
  wake(): void;
  /** Begins nothing more, and resolves when what is under way has ended. May be called twice. */
  stopDelivery(): Promise<void>;
  stop(): Promise<void>;
};

type Parts = EventSources & {
  readonly config: Pick<
    Config,
    | 'webhookRetrySchedule'
    | 'webhookAllowHttp'
    | 'webhookAllowPorts'
    | 'webhookAllowCidrs'
    | 'webhookDenyCidrs'
  >;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly secretKeys: SecretKeys;
  /** Makes this process answer what is in the database. */
  readonly catchUp: () => Promise<void>;
};

/** Puts the parts together; nothing is delivered yet. Fails when SECRET_KEY is not the one in use. */
export async function createWebhooks(parts: Parts): Promise<Webhooks> {
  const { config, db, clock, log, secretKeys } = parts;
  const { webhookAllowCidrs: allowCidrs } = config;
  // A wrong key would be noticed at the next event otherwise, perhaps months from now.
  await secretKeys.settle(db);

  const guard = createTargetGuard({
    isAllowed: createAddressPolicy(allowCidrs, config.webhookDenyCidrs),
    // Names of private networks are known to the machine rather than to DNS.
    resolve: createResolver({ useSystem: allowCidrs.length > 0 }),
  });
  const agent = new Agent({ connect: guard.connect, keepAliveTimeout: keepAliveMs });
  const dispatcher = createDispatcher(parts, agent);
  const upkeep = new Ticker(async () => keepUp(parts), { intervalMs: upkeepMs, log });
  let stopping: Promise<unknown> | undefined;
  const stopDelivery = async (): Promise<void> => {
    stopping ??= Promise.all([dispatcher.stop(), upkeep.stop()]);
    await stopping;
  };
  const routeParts = {
    db,
    clock,
    secretKeys,
    urlPolicy: { allowHttp: config.webhookAllowHttp, allowPorts: config.webhookAllowPorts },
    checkReceiver: async (url: URL) => checkWithin(checkTimeoutMs, guard, url),
    wake: () => dispatcher.wake(),
  };
  return {
    addRoutes: (app, charge) => {
      addSubscriptionRoutes(app, { ...routeParts, charge });
      addDeliveryRoutes(app, { ...routeParts, charge });
    },
    start: () => {
      dispatcher.start();
      upkeep.start();
    },
    wake: () => dispatcher.wake(),
    stopDelivery,
    stop: async () => {
      await stopDelivery();
      await agent.destroy();
    },
  };
}

/** A name server that does not answer in time is as good as none. */
async function checkWithin(
  timeoutMs: number,
  guard: TargetGuard,
  url: URL,
): ReturnType<TargetGuard['check']> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await guard.check(url, signal);
  } catch (error) {
    if (signal.aborted) return { kind: 'refused', why: 'unresolved' };
    throw error;
  }
}

function createDispatcher(parts: Parts, agent: Agent): DeliveryDispatcher {
  const attempts = new Attempts({
    ...parts,
    dispatcher: agent,
    scheduleSeconds: parts.config.webhookRetrySchedule,
    random: Math.random,
  });
  return new DeliveryDispatcher({
    ...parts,
    attempt: async (deliveries) => attempts.begin(deliveries),
  });
}

async function keepUp({ db, clock, log }: Parts): Promise<void> {
  const disabled = await disableHopeless(db, clock.now());
  if (disabled.failing + disabled.keyEnded > 0) log.warn(disabled, 'subscriptions disabled');
  while ((await setAside(db)) || (await pruneRequested(db, clock.now()))) await setImmediate();
  await pruneDeliveries(db, clock.now());
}
