import type { Db } from '../../platform/database/database.ts';
import { eachPortion } from '../../platform/database/portions.ts';
import { FailureLog, type Log } from '../../platform/log/log.ts';
import { WaitingRequests } from '../../platform/http/waiting-requests.ts';
import type { Timers } from '../../platform/time/timers.ts';

/** The most ids in one statement: few enough for the limits of parameters. */
const portionIds = 500;

/**
 * Makes the waits for the ends of checks (`waitSeconds` of rule K11), by the ids of the checks. A wait is answered when its
 * check has ended or is deleted. While the database is away, each wait lasts its full time.
 */
export function createEndWaits(parts: {
  readonly db: Db;
  readonly timers: Timers;
  readonly log: Log;
}): WaitingRequests<string, true> {
  const { db, timers, log } = parts;
  const failures = new FailureLog(log, 'ends of stored checks not readable');
  return new WaitingRequests<string, true>(timers, async (waiting) => {
    const byCheck = Map.groupBy(waiting, ({ wanted }) => wanted);
    try {
      await eachPortion([...byCheck.keys()], portionIds, async (ids) => {
        const pending = await db
          .selectFrom('vat_checks')
          .select('id')
          .where('id', 'in', ids)
          .where('status', '=', 'pending')
          .execute();
        const stillPending = new Set(pending.map(({ id }) => id));
        for (const id of ids.filter((one) => !stillPending.has(one))) {
          for (const wait of byCheck.get(id) ?? []) wait.answer(true);
        }
      });
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
    }
  });
}
