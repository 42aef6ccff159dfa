import type { ClaimedCheck } from './claim-next.ts';
import { type AttemptParts, makeAttempt } from './make-attempt.ts';
import type { StoredCheck } from '../stored-check.ts';

/**
 * First attempts of checks whose callers wait, with the priority of `/vatcheck`.
 *
 * An attempt belongs to the check and not to its caller: it goes on if the caller waits no longer or hangs up.
 */
export class CallerAttempts {
  readonly #parts: AttemptParts;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(parts: AttemptParts) {
    this.#parts = parts;
  }

  /** Makes the attempt and writes its result, as `makeAttempt` does. */
  async make(claimed: ClaimedCheck): Promise<StoredCheck | undefined> {
    const made = makeAttempt(claimed, this.#parts);
    this.#underWay.add(made);
    return made.finally(() => this.#underWay.delete(made));
  }

  /** Resolves when the attempts that are under way now have ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}
