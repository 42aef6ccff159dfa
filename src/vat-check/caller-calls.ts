import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { FailureLog, type Log } from '../platform/log/log.ts';
import { type Clock, dateIn } from '../platform/time/time.ts';

/** Time between two writes. */
const intervalMs = 2_000;

type Parts = { readonly db: Db; readonly clock: Clock; readonly log: Log };

/**
 * Counts the calls to the registry that callers wait for, by day (rule K21).
 *
 * A call is counted in memory and written with others within 2 s, so no call waits for it. Calls that are not written yet
 * are lost if the process crashes.
 */
export class CallerCalls {
  readonly #parts: Parts;
  readonly #failures: FailureLog;
  /** By day in UTC. */
  #unwritten = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#failures = new FailureLog(parts.log, 'calls to VIES not counted');
  }

  /** Counts one call that is made now. */
  count(): void {
    const day = dateIn('UTC', this.#parts.clock.now());
    this.#unwritten.set(day, (this.#unwritten.get(day) ?? 0) + 1);
    this.#timer ??= setTimeout(() => void this.write(), intervalMs).unref();
  }

  /** The calls of today that are not written yet. */
  get unwritten(): number {
    return this.#unwritten.get(dateIn('UTC', this.#parts.clock.now())) ?? 0;
  }

  /** Writes what is not written yet, and resolves when that has ended. Never rejects. */
  async write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(async () => this.#write());
    await this.#writing;
  }

  async #write(): Promise<void> {
    const counted = this.#unwritten;
    this.#unwritten = new Map();
    for (const [day, calls] of counted) {
      try {
        // In a transaction, which waits for a locked file of SQLite without blocking the process.
        await this.#parts.db.transaction().execute(async (tx) =>
          tx
            .insertInto('registry_calls')
            .values({ day, background: 0, callers: calls, prolonged_to: '' })
            .onConflict((conflict) =>
              conflict
                .column('day')
                .doUpdateSet({ callers: sql<number>`registry_calls.callers + ${calls}` }),
            )
            .execute(),
        );
        this.#failures.succeeded();
      } catch (error) {
        this.#failures.failed(error);
        this.#unwritten.set(day, (this.#unwritten.get(day) ?? 0) + calls);
      }
    }
  }
}
