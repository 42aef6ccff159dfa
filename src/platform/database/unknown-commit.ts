import { setTimeout as sleep } from 'node:timers/promises';
import { type Mark, markOf } from './marks.ts';
import type { Db, Tx } from './tables.ts';
import { DatabaseUnavailableError } from './unavailable.ts';

/** Attempts of a transaction that was not committed. */
const attemptsMax = 3;
/** Pause between two looks. */
const pauseMs = 250;

/** A COMMIT that PostgreSQL has not acknowledged: the transaction was committed, or will be, or not. */
export class UnknownCommitError extends DatabaseUnavailableError {
  override readonly name = 'UnknownCommitError';
  /** Looks whether it was committed; rejects if that cannot be seen now. Undefined if the transaction has no mark. */
  look: (() => Promise<boolean>) | undefined;
}

/** Whether an error, or its cause, leaves it unknown if a change was made. */
export function isUnknownCommit(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof UnknownCommitError) return true;
  }
  return false;
}

/** What a process finds out about a transaction whose COMMIT was not acknowledged. */
export type CommitFinding = 'looking' | 'done' | 'not done' | 'unknown';

export type CommitWatch = {
  /** How long the database is looked in, in milliseconds; once by default. */
  readonly lookForMs?: number;
  /** Called with `looking`, and then with what was found; `unknown` if the database cannot be used. */
  readonly onUnknownCommit?: ((finding: CommitFinding) => void) | undefined;
};

/**
 * Executes a transaction. If its COMMIT is not acknowledged and it has a mark, the mark is looked for: the transaction was
 * committed, and the result is returned, or it is repeated. Rejects with an `UnknownCommitError` if that cannot be seen now, or
 * if there is no mark.
 */
export async function executeOnce<T>(
  db: Db,
  execute: (work: (tx: Tx) => Promise<T>) => Promise<T>,
  work: (tx: Tx) => Promise<T>,
  watch: CommitWatch,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const done: { result: T; mark: Mark | undefined }[] = [];
    try {
      return await execute(async (tx) => {
        const result = await work(tx);
        done.push({ result, mark: markOf(tx) });
        return result;
      });
    } catch (error) {
      const [last] = done;
      if (!(error instanceof UnknownCommitError) || last?.mark === undefined) throw error;
      const { mark, result } = last;
      error.look = async () => wasCommitted(db, mark);
      if (await lookFor(error, error.look, watch)) return result;
      if (attempt === attemptsMax) {
        const sentence = `database: PostgreSQL has not committed a transaction ${attemptsMax} times`;
        // Without the error as its cause, which would say that this is not known.
        throw new DatabaseUnavailableError(sentence, { cause: error.cause });
      }
    }
  }
}

async function lookFor(
  error: UnknownCommitError,
  look: () => Promise<boolean>,
  { lookForMs = 0, onUnknownCommit }: CommitWatch,
): Promise<boolean> {
  onUnknownCommit?.('looking');
  const untilMs = performance.now() + lookForMs;
  for (;;) {
    try {
      const isDone = await look();
      onUnknownCommit?.(isDone ? 'done' : 'not done');
      return isDone;
    } catch {
      if (performance.now() >= untilMs) {
        onUnknownCommit?.('unknown');
        throw error;
      }
    }
    await sleep(pauseMs);
  }
}

/** Waits for a transaction that is still under way. */
async function wasCommitted(db: Db, mark: Mark): Promise<boolean> {
  const look = await db.startTransaction().execute();
  try {
    return await mark(look);
  } finally {
    await look.rollback().execute();
  }
}

/** The transactions of a process of which it does not know yet whether they were committed. */
export class UnsettledCommits {
  readonly #waiting = new Map<UnknownCommitError, (wasCommitted: boolean) => void>();
  #settling: Promise<void> | undefined;

  /**
   * Returns whether an error leaves it unknown if its transaction was committed. `follow` is then called as soon as that is
   * known, in the course of `settle`.
   */
  keep(error: unknown, follow: (wasCommitted: boolean) => void): error is UnknownCommitError {
    if (!(error instanceof UnknownCommitError) || error.look === undefined) return false;
    this.#waiting.set(error, follow);
    return true;
  }

  /** Looks for all of them; rejects if the database cannot be used. Costs nothing if there is none. */
  async settle(): Promise<void> {
    this.#settling ??= this.#settle().finally(() => (this.#settling = undefined));
    await this.#settling;
  }

  async #settle(): Promise<void> {
    for (const [error, follow] of this.#waiting) {
      const isDone = await error.look?.();
      this.#waiting.delete(error);
      follow(isDone === true);
    }
  }
}
