import { unclaimed } from '../../../platform/database/claims.ts';
import type { Db } from '../../../platform/database/database.ts';
import { eachPortion } from '../../../platform/database/portions.ts';
import { isDatabaseUnavailable } from '../../../platform/database/unavailable.ts';
import { UnsettledCommits } from '../../../platform/database/unknown-commit.ts';
import { giveCallBack } from './call-budget.ts';
import { type ClaimedCheck, portionIds } from './claim-next.ts';

/**
 * Gives claims back for which no attempt was made, and their calls, once (rule C38). What the database does not take now is
 * given back later, so that a call that was not made is not counted.
 */
export class ClaimReturns {
  readonly #db: Db;
  readonly #left = new Set<ClaimedCheck>();
  readonly #unsettled = new UnsettledCommits();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Gives a check back as it was, with those that are equal to it. If that fails, it rejects, and `retry` does it. */
  async release(claimed: ClaimedCheck): Promise<void> {
    try {
      await releaseClaim(this.#db, claimed);
    } catch (error) {
      const isUnknown = this.#unsettled.keep(error, (wasCommitted) => {
        if (!wasCommitted) this.#left.add(claimed);
      });
      if (!isUnknown && isDatabaseUnavailable(error)) this.#left.add(claimed);
      throw error;
    }
  }

  /** Keeps a claim that has failed with an error, to give it back if it was committed. */
  keep(error: unknown, claimed: ClaimedCheck): void {
    this.#unsettled.keep(error, (wasCommitted) => {
      if (wasCommitted) this.#left.add(claimed);
    });
  }

  /** Gives back what is left; rejects while the database cannot be used. Costs nothing if nothing is left. */
  async retry(): Promise<void> {
    await this.#unsettled.settle();
    for (const claimed of this.#left) {
      this.#left.delete(claimed);
      await this.release(claimed);
    }
  }
}

async function releaseClaim(
  db: Db,
  { id, keyId, claim, countedOn, equal = [] }: ClaimedCheck,
): Promise<void> {
  // In a transaction, which waits for a locked file of SQLite without blocking the process.
  await db.transaction().execute(async (tx) => {
    if (countedOn !== undefined) await giveCallBack(tx, { day: countedOn, keyId });
    await eachPortion([id, ...equal], portionIds, async (ids) => {
      await tx
        .updateTable('vat_checks')
        .set((e) => ({ ...unclaimed, due_at: e.ref('next_attempt_at') }))
        .where('id', 'in', ids)
        .where('claim', '=', claim)
        .where('status', '=', 'pending')
        .execute();
    });
  });
}
