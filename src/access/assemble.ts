import type { Config } from '../platform/config/options.ts';
import type { Db } from '../platform/database/database.ts';
import type { RevisionWatch } from '../platform/database/revisions.ts';
import type { Charge } from '../platform/http/routes.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Clock } from '../platform/time.ts';
import { FailedAuthentication } from './failed-authentication.ts';
import { KeyGuard } from './guard.ts';
import { Limiter } from './limiter.ts';
import { chargeWith } from './routes.ts';
import { readMonthUse } from './use-store.ts';
import { UseWriter } from './use-writer.ts';

/** Who may ask, how much, and the book that is kept of it. */
export type Access = {
  readonly guard: KeyGuard;
  readonly limiter: Limiter;
  readonly charge: Charge;
  readonly useWriter: UseWriter;
};

/** Puts the parts together; the writer is not started. */
export function assembleAccess(parts: {
  readonly config: Pick<Config, 'rateLimitPerMinute' | 'quotaPerMonth' | 'failedAuthPerMinute'>;
  readonly db: Db;
  readonly watch: RevisionWatch;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}): Access {
  const { config, db, clock, log } = parts;
  const failures = new FailedAuthentication({ clock, limit: config.failedAuthPerMinute, log });
  const guard = new KeyGuard({ ...parts, failures });
  const limiter = new Limiter({
    clock,
    defaults: { rateLimit: config.rateLimitPerMinute, quota: config.quotaPerMonth },
    readMonthUse: async (keyId, date) => readMonthUse(db, keyId, date),
  });
  const useWriter = new UseWriter({
    db,
    limiter,
    takeLastUses: () => guard.takeLastUses(),
    clock,
    log,
  });
  return { guard, limiter, charge: chargeWith(limiter), useWriter };
}
