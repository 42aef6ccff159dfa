import type { FastifyRequest } from 'fastify';
import type { ClockTrust } from '../platform/time/clock-guard.ts';
import type { Config } from '../platform/config/options.ts';
import type { Db } from '../platform/database/database.ts';
import type { RevisionWatch } from '../platform/database/replicas/revisions.ts';
import type { FreeLimits } from '../platform/http/free-requests.ts';
import type { Charge } from '../platform/http/routes/routes.ts';
import type { Log } from '../platform/log/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import type { Clock } from '../platform/time/time.ts';
import { type MostRequests, quotaOnly } from '../platform/http/request-cost.ts';
import { withTimeout } from '../platform/time/timers.ts';
import { Authenticator } from './authentication/authenticator.ts';
import { findKeyById } from './authentication/key-store.ts';
import { FailedAuthentication } from './authentication/failed-authentication.ts';
import { Counter } from './limits/counter.ts';
import { FreeRequests } from './limits/free-requests.ts';
import { chargeWith, mostOfWith } from './routes.ts';
import { UsageFlusher } from './usage/flusher.ts';
import { Ledger } from './usage/ledger.ts';
import { readMonthUse } from './usage/store.ts';

/** A request waits for its key's use at most this long; then counting begins at 0 and is corrected later. */
const readWaitMs = 1_000;

/** Authentication, limits and usage of API keys, connected with each other. */
export type Access = {
  readonly authenticator: Authenticator;
  readonly counter: Counter;
  readonly charge: Charge;
  /** The most requests that the limits of a request's key could ever admit at once, in this process. */
  readonly mostOf: (request: FastifyRequest) => MostRequests;
  /**
   * Prepares the charge of one request to the quota of a key, not to its rate limit: reads what the database has. The charge
   * itself may be made in a transaction; it resolves to false, and charges nothing, if no quota is left.
   */
  readonly prepareQuotaCharge: (keyId: string) => Promise<() => Promise<boolean>>;
  readonly flusher: UsageFlusher;
  readonly freeLimits: FreeLimits;
};

type Parts = {
  readonly config: Pick<Config, 'rateLimitPerMinute' | 'quotaPerMonth' | 'failedAuthPerMinute'>;
  readonly db: Db;
  /** Undefined if each process counts by itself. */
  readonly redis: RedisConnection | undefined;
  /** Number of processes that serve, this one included. */
  readonly countReplicas: () => number;
  readonly watch: RevisionWatch;
  readonly clock: Clock;
  readonly clockGuard: ClockTrust;
  readonly log: Log;
  readonly metrics: Metrics;
};

/** Creates everything; the flusher is not started. */
export function createAccess(parts: Parts): Access {
  const { config, db, clock, log } = parts;
  const failures = new FailedAuthentication({ clock, limit: config.failedAuthPerMinute, log });
  const authenticator = new Authenticator({ ...parts, failures });
  const defaults = { rateLimit: config.rateLimitPerMinute, quota: config.quotaPerMonth };
  const freeLimits = new FreeRequests({ clock, failures, defaults });
  const ledger = new Ledger(async (keyId, date) => readMonthUse(db, keyId, date));
  const counter = new Counter({
    ...parts,
    ledger,
    readMonth: async (keyId, date) => withTimeout(readWaitMs, ledger.readMonth(keyId, date)),
    defaults,
  });
  const takeLastUses = (): ReadonlyMap<string, number> => authenticator.takeLastUses();
  const flusher = new UsageFlusher({ ...parts, ledger, takeLastUses });
  const charge = chargeWith(counter);
  const prepareQuotaCharge: Access['prepareQuotaCharge'] = async (keyId) => {
    const key = await findKeyById(db, keyId);
    if (key === undefined) return async () => false;
    // The use of the month is in memory after this. On SQLite a read inside of a transaction would wait for its end.
    await counter.describe(key);
    return async () => (await counter.charge(key, quotaOnly(1))) === undefined;
  };
  const mostOf = mostOfWith(counter);
  return { authenticator, counter, charge, mostOf, prepareQuotaCharge, flusher, freeLimits };
}
