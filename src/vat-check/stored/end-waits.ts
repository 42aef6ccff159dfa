import type { Db } from '../../platform/database/database.ts';
import { eachPortion } from '../../platform/database/portions.ts';
import { FailureLog } from '../../platform/failure-log.ts';
import type { Log } from '../../platform/log.ts';
import { pause, type Timers } from '../../platform/timers.ts';

/** Interval at which the checks that callers wait for are read; another replica may end them. */
const pollMs = 200;
/** The most ids in one statement: few enough for the limits of parameters. */
const portionIds = 500;

type Parts = { readonly db: Db; readonly timers: Timers; readonly log: Log };

/**
 * Waits for the ends of checks (`waitSeconds` of rule K11).
 *
 * One query per interval is for all waits of this process, so their number hardly matters. While the database is away, each
 * wait lasts its full time.
 */
export class EndWaits {
  readonly #parts: Parts;
  readonly #waits = new Map<string, Set<() => void>>();
  readonly #stopping = new AbortController();
  readonly #failures: FailureLog;
  #isPolling = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#failures = new FailureLog(parts.log, 'ends of stored checks not readable');
  }

  /** Resolves when the check has ended or is deleted, after `forMs`, or when the process stops. */
  async wait(checkId: string, forMs: number): Promise<void> {
    const { timers } = this.#parts;
    const ended = new AbortController();
    const end = (): void => ended.abort();
    const ofCheck = this.#waits.getOrInsertComputed(checkId, () => new Set());
    ofCheck.add(end);
    if (!this.#isPolling) void this.#poll();
    await pause(timers, forMs, AbortSignal.any([ended.signal, this.#stopping.signal]));
    ofCheck.delete(end);
    if (ofCheck.size === 0 && this.#waits.get(checkId) === ofCheck) this.#waits.delete(checkId);
  }

  /** Ends all waits, and those that begin later. */
  stop(): void {
    this.#stopping.abort();
  }

  async #poll(): Promise<void> {
    const { timers } = this.#parts;
    const { signal } = this.#stopping;
    this.#isPolling = true;
    while (this.#waits.size > 0 && !signal.aborted) {
      await pause(timers, pollMs, signal);
      try {
        await this.#endWaits();
        this.#failures.succeeded();
      } catch (error) {
        this.#failures.failed(error);
      }
    }
    this.#isPolling = false;
  }

  async #endWaits(): Promise<void> {
    const ids = [...this.#waits.keys()];
    await eachPortion(ids, portionIds, async (portion) => {
      const pending = await this.#parts.db
        .selectFrom('vat_checks')
        .select('id')
        .where('id', 'in', portion)
        .where('status', '=', 'pending')
        .execute();
      const stillPending = new Set(pending.map(({ id }) => id));
      for (const id of portion.filter((one) => !stillPending.has(one))) {
        for (const end of this.#waits.get(id) ?? []) end();
      }
    });
  }
}
