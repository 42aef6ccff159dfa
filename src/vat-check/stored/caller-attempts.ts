import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { writeAttempt } from './attempt-writer.ts';
import type { Attempts } from './attempts.ts';
import { type ClaimedCheck, releaseClaim } from './claims.ts';
import type { OnEnded } from './on-ended.ts';
import type { StoredCheck } from './stored-check.ts';

type Parts = {
  readonly db: Db;
  readonly log: Log;
  readonly attempts: Pick<Attempts, 'makeForCaller'>;
  readonly onEnded: OnEnded;
  /** A number from 0, inclusive, to 1, exclusive. */
  readonly random: () => number;
};

/**
 * First attempts of checks whose callers wait, with the priority of `/vatcheck`.
 *
 * An attempt belongs to the check and not to its caller: it goes on if the caller waits no longer or hangs up.
 */
export class CallerAttempts {
  readonly #parts: Parts;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Makes the attempt and writes its result; returns the check as it is then. Undefined if none was made, which leaves
   * the check to the worker, or if it could not be written. Never rejects.
   */
  async make(claimed: ClaimedCheck): Promise<StoredCheck | undefined> {
    const made = this.#make(claimed);
    this.#underWay.add(made);
    return made.finally(() => this.#underWay.delete(made));
  }

  /** Resolves when the attempts that are under way now have ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #make(claimed: ClaimedCheck): Promise<StoredCheck | undefined> {
    const { db, log, attempts, onEnded, random } = this.#parts;
    try {
      const end = await attempts.makeForCaller(claimed);
      if (end.kind === 'made') {
        return await writeAttempt(db, claimed, end, { random: random(), onEnded });
      }
      await releaseClaim(db, claimed);
    } catch (error) {
      // The claim ends, and a worker makes the attempt again.
      log.error({ err: error, checkId: claimed.id }, 'attempt of a stored check not written');
    }
    return undefined;
  }
}
