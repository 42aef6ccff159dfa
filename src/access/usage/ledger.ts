import { UnsettledCommits } from '../../platform/database/unknown-commit.ts';
import { type IsoDate, monthOf } from '../../platform/time/time.ts';
import type { DailyUse, ReadMonthUse } from './store.ts';

/**
 * Charged requests that are not in the database yet, by day (UTC) and key.
 *
 * A charge is an addition in memory. The flusher writes the sums once a second; sums that could not be written
 * are added to those of the next write. Sums whose COMMIT was not acknowledged are looked for before that (rule C38).
 */
export class Ledger {
  readonly #readMonthUse: ReadMonthUse;
  #unwritten = new Map<IsoDate, Map<string, number>>();
  /** The last write; never rejects. */
  #writing: Promise<void> = Promise.resolve();
  #writeCount = 0;
  readonly #unsettled = new UnsettledCommits();
  /** Requests of which it is not known whether they were written. */
  unsettledRequests = 0;

  constructor(readMonthUse: ReadMonthUse) {
    this.#readMonthUse = readMonthUse;
  }

  /** Adds charged requests to a day of a key. */
  add({ keyId, useDate, requests }: DailyUse): void {
    let day = this.#unwritten.get(useDate);
    if (day === undefined) {
      day = new Map();
      this.#unwritten.set(useDate, day);
    }
    day.set(keyId, (day.get(keyId) ?? 0) + requests);
  }

  /**
   * All requests that were charged to a key in the month of a date: written ones by every process, unwritten ones
   * by this process. Each request counts once. Rejects without the database.
   */
  async readMonth(keyId: string, date: IsoDate): Promise<number> {
    for (;;) {
      await this.#writing;
      await this.#unsettled.settle();
      const writeCount = this.#writeCount;
      const written = await this.#readMonthUse(keyId, date);
      // A write that began meanwhile may or may not be in what was read.
      if (writeCount === this.#writeCount) return written + this.#countUnwritten(keyId, date);
    }
  }

  /**
   * Passes all unwritten use to `write`, unless there is none; keeps it if `write` rejects, and rejects too. If it is not known
   * whether the last one was written, that is found out first.
   */
  async flush(write: (uses: readonly DailyUse[]) => Promise<void>): Promise<void> {
    await this.#unsettled.settle();
    const uses = this.listUnwritten();
    if (uses.length === 0) return;
    this.#unwritten = new Map();
    this.#writeCount += 1;
    const done = write(uses).catch((error: unknown) => {
      this.#keep(uses, error);
      throw error;
    });
    this.#writing = done.catch(() => {});
    await done;
  }

  /** Keeps use whose write has failed with an error. */
  #keep(uses: readonly DailyUse[], error: unknown): void {
    const addAgain = (): void => {
      for (const use of uses) this.add(use);
    };
    const requests = uses.reduce((sum, use) => sum + use.requests, 0);
    const isUnknown = this.#unsettled.keep(error, (wasCommitted) => {
      this.unsettledRequests -= requests;
      if (!wasCommitted) addAgain();
    });
    if (isUnknown) this.unsettledRequests += requests;
    else addAgain();
  }

  /** Unwritten use, one entry for each key and day. */
  listUnwritten(): DailyUse[] {
    return [...this.#unwritten].flatMap(([useDate, day]) =>
      [...day].map(([keyId, requests]) => ({ keyId, useDate, requests })),
    );
  }

  #countUnwritten(keyId: string, date: IsoDate): number {
    const { first, nextFirst } = monthOf(date);
    let count = 0;
    for (const [useDate, day] of this.#unwritten) {
      if (useDate >= first && useDate < nextFirst) count += day.get(keyId) ?? 0;
    }
    return count;
  }
}
