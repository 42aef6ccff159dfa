import type { Db } from '../../../platform/database/database.ts';
import { eachPortion } from '../../../platform/database/portions.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Clock } from '../../../platform/time/time.ts';
import { writeAttempt, writeEqual } from './check-results.ts';
import type { QueryEnd } from './registry-queries.ts';
import type { ClaimedCheck } from './claim-next.ts';
import type { ClaimReturns } from './claim-returns.ts';
import type { OnEnded } from '../on-ended.ts';
import { reuseAnswer } from './reuse-answer.ts';
import type { StoredCheck } from '../stored-check.ts';

/** Checks that one transaction ends with the answer of an equal one. */
const equalInOne = 20;

export type AttemptParts = {
  readonly db: Db;
  readonly log: Log;
  readonly clock: Pick<Clock, 'now'>;
  /** Queries the registry once for a check. */
  readonly attempt: (check: ClaimedCheck) => Promise<QueryEnd>;
  readonly returns: Pick<ClaimReturns, 'release'>;
  /** Writes the consequences of an ended check in the transaction that ends it. */
  readonly onEnded: OnEnded;
  /** A number from 0, inclusive, to 1, exclusive. */
  readonly random: () => number;
};

/**
 * Makes one attempt of a claimed check and writes its result; returns the check as it is then. Never rejects.
 *
 * A background attempt first looks for a stored answer that the check may end with. Undefined if no attempt was made: the
 * check has ended with such an answer, or is left to the worker. Undefined also if the result could not be written: the error
 * is logged, the claim ends, and a worker makes the attempt again.
 */
export async function makeAttempt(
  claimed: ClaimedCheck,
  { db, log, clock, attempt, returns, onEnded, random }: AttemptParts,
): Promise<StoredCheck | undefined> {
  try {
    const reuse = { nowMs: clock.now(), onEnded };
    const hasEnded = await reuseAnswer(db, claimed, reuse).catch(async (error: unknown) => {
      // No call was made, whether the check has ended or not. What cannot be given back now is given back later.
      await returns.release(claimed).catch(() => {});
      throw error;
    });
    const end = hasEnded ? ({ kind: 'notMade' } as const) : await attempt(claimed);
    if (end.kind === 'made') {
      const written = { random: random(), onEnded };
      const check = await writeAttempt(db, claimed, end, written);
      // Each is signed: few in one transaction.
      await eachPortion(claimed.equal ?? [], equalInOne, async (ids) =>
        writeEqual(db, { ...claimed, equal: ids }, end, written),
      );
      return check;
    }
    await returns.release(claimed);
  } catch (error) {
    log.error({ err: error, checkId: claimed.id }, 'attempt of a stored check not written');
  }
  return undefined;
}
