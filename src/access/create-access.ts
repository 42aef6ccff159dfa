import type { Config } from '../platform/config/options.ts';
import type { Db } from '../platform/database/database.ts';
import type { RevisionWatch } from '../platform/database/revisions.ts';
import type { Admitted } from '../platform/fast-path/admission.ts';
import { cachedRouteScope } from '../platform/http/routes/cached-routes.ts';
import type { Charge } from '../platform/http/routes/routes.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import type { Clock } from '../platform/time.ts';
import { andThen } from '../platform/maybe-async.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import { FailedAuthentication } from './authentication/failed-authentication.ts';
import { Authenticator, type KnownKey } from './authentication/authenticator.ts';
import { type Limiter, LocalLimiter } from './limits/limiter.ts';
import { chargeWith } from './routes.ts';
import { SharedCounts } from './limits/shared-counts.ts';
import { SharedLimiter } from './limits/shared-limiter.ts';
import { type ReadMonthUse, UseBook } from './usage/ledger.ts';
import { foldUse, readMonthUse } from './usage/store.ts';
import { UsageFlusher } from './usage/flusher.ts';

/** A request waits for its key's use at most this long; then it is counted without, and put right later. */
const readWaitMs = 1_000;
/** How fresh the days are that what replicas share is made of. */
const foldEveryMs = 250;

/** Who may ask, how much, and the book that is kept of it. */
export type Access = {
  readonly authenticator: Authenticator;
  readonly limiter: Limiter;
  readonly charge: Charge;
  /** Who presents a key that may look things up; undefined where `authenticator` has to judge. */
  readonly admit: (key: string) => Admitted | undefined | Promise<Admitted | undefined>;
  readonly flusher: UsageFlusher;
};

type Parts = {
  readonly config: Pick<Config, 'rateLimitPerMinute' | 'quotaPerMonth' | 'failedAuthPerMinute'>;
  readonly db: Db;
  /** Undefined where each process keeps limits for itself. */
  readonly redis: RedisConnection | undefined;
  /** How many processes serve. */
  readonly countProcesses: () => number;
  readonly watch: RevisionWatch;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
};

/** Puts the parts together; the writer is not started. */
export function createAccess(parts: Parts): Access {
  const { config, db, redis, clock, log } = parts;
  const failures = new FailedAuthentication({ clock, limit: config.failedAuthPerMinute, log });
  const authenticator = new Authenticator({ ...parts, failures });
  const read = redis === undefined ? readHere(db) : readEverywhere(db);
  const book = new UseBook({
    clock,
    readMonthUse: async (keyId, date) => withTimeout(readWaitMs, read(keyId, date)),
  });
  const limiter = createLimiter(parts, book);
  const takeLastUses = (): ReadonlyMap<string, number> => authenticator.takeLastUses();
  const flusher = new UsageFlusher({ db, book, takeLastUses, clock, log });
  const charge = chargeWith(limiter);
  const toAdmitted = (known: KnownKey | undefined): Admitted | undefined => {
    // A key without the scope of look-ups is refused by the general machinery.
    if (known?.record.scopes.includes(cachedRouteScope) !== true) return undefined;
    const apiKey = known.record;
    return {
      keyId: apiKey.id,
      isStillAdmitted: () => authenticator.isStillGood(known),
      charge: (cost) => charge({ apiKey }, cost),
    };
  };
  const admit = (key: string): ReturnType<Access['admit']> =>
    andThen(authenticator.recognise(key), toAdmitted);
  return { authenticator, limiter, charge, admit, flusher };
}

function createLimiter({ config, redis, clock, countProcesses }: Parts, book: UseBook): Limiter {
  const defaults = { rateLimit: config.rateLimitPerMinute, quota: config.quotaPerMonth };
  const local = new LocalLimiter({ book, defaults });
  if (redis === undefined) return local;
  const counts = new SharedCounts(redis);
  return new SharedLimiter({ redis, counts, local, book, clock, defaults, countProcesses });
}

function readHere(db: Db): ReadMonthUse {
  return async (keyId, date) => readMonthUse(db, keyId, date);
}

/** With what other processes have written into the journal. */
function readEverywhere(db: Db): ReadMonthUse {
  let foldedAtMs = -Infinity;
  let folding: Promise<void> = Promise.resolve();
  return async (keyId, date) => {
    if (performance.now() - foldedAtMs >= foldEveryMs) {
      foldedAtMs = performance.now();
      folding = foldUse(db);
    }
    await folding;
    return readMonthUse(db, keyId, date);
  };
}
