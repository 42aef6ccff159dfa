import { type Clock, type IsoDate, monthOf } from '../../platform/time.ts';
import type { Month } from '../limits/refusal.ts';
import { UtcMonth } from '../utc-month.ts';
import { SlidingWindow } from '../limits/sliding-window.ts';
import type { DailyUse } from './store.ts';

/** Keys whose use stays in memory while they are idle; each costs about 300 bytes. */
const idleKeysMax = 200_000;

/** What is known of a key in a month; in another month it is made anew. */
export type Use = {
  readonly keyId: string;
  readonly recent: SlidingWindow;
  readonly month: Month;
  usedInMonth: number;
  /** What is not written yet, and the day that it belongs to. */
  unwritten: number;
  unwrittenDate: IsoDate;
};

/** Requests that were charged to a key in the month of a date, as far as they are written. */
export type ReadMonthUse = (keyId: string, date: IsoDate) => Promise<number>;

/**
 * The book of what keys were used for: what counts now, and what is still to be written.
 *
 * The first request of a key in a month reads what is written. Where that fails, counting begins at nothing
 * and is put right when the database is back: an outage of it costs nobody an answer.
 */
export class UseBook {
  readonly #readMonthUse: ReadMonthUse;
  readonly #calendar: UtcMonth;
  readonly #uses = new Map<string, Use>();
  readonly #loading = new Map<string, Promise<Use>>();
  /** Those whose month could not be read yet. */
  readonly #unread = new Set<Use>();
  /** Those with something unwritten, each once. */
  #changed: Use[] = [];
  /** Unwritten use of days that have ended, or that could not be written, by key and day. */
  readonly #carried = new Map<string, DailyUse>();

  constructor(parts: { readonly clock: Clock; readonly readMonthUse: ReadMonthUse }) {
    this.#readMonthUse = parts.readMonthUse;
    this.#calendar = new UtcMonth(parts.clock);
  }

  /** The time; turns the page when it is another day's. */
  now(): number {
    return this.#calendar.now();
  }

  /** A key's use in the month of the last `now`; undefined when it is to be loaded. */
  find(keyId: string): Use | undefined {
    const use = this.#uses.get(keyId);
    return use?.month === this.#calendar.month ? use : undefined;
  }

  /** Reads a key's month once, however many requests wait for it. */
  async load(keyId: string): Promise<Use> {
    const loading = this.#loading.get(keyId);
    if (loading !== undefined) return loading;
    const started = this.#load(keyId).finally(() => this.#loading.delete(keyId));
    this.#loading.set(keyId, started);
    return started;
  }

  /** Counts a request as so many as it costs; `usedInMonth` is the month's sum with them. */
  count(
    use: Use,
    nowMs: number,
    { cost, usedInMonth }: { readonly cost: number; readonly usedInMonth: number },
  ): void {
    use.recent.add(nowMs, cost);
    use.usedInMonth = usedInMonth;
    if (use.unwrittenDate !== this.#calendar.date) {
      this.#carry(use);
      use.unwrittenDate = this.#calendar.date;
    }
    if (use.unwritten === 0) this.#changed.push(use);
    use.unwritten += cost;
  }

  /** Counts a request of a key whose month is known elsewhere. */
  note(keyId: string, counted: { readonly cost: number; readonly usedInMonth: number }): void {
    const nowMs = this.now();
    this.count(this.find(keyId) ?? this.#begin(keyId), nowMs, counted);
  }

  /** Takes what is known elsewhere of a key's month, where that is more. */
  raise(keyId: string, usedInMonth: number): void {
    const use = this.find(keyId);
    if (use !== undefined) use.usedInMonth = Math.max(use.usedInMonth, usedInMonth);
  }

  /**
   * What the month of a date comes to: what is written, and what is unwritten here. Fails without the
   * database.
   */
  async readUsed(keyId: string, date: IsoDate): Promise<number> {
    const written = await this.#readMonthUse(keyId, date);
    return written + this.#countUnwritten(keyId, date);
  }

  /** The day in UTC, as of the last `now`. */
  get date(): IsoDate {
    return this.#calendar.date;
  }

  /** What was charged since the last call, to be written. */
  takeUnwritten(): DailyUse[] {
    for (const use of this.#changed) this.#carry(use);
    this.#changed = [];
    const taken = [...this.#carried.values()];
    this.#carried.clear();
    return taken;
  }

  /** Takes back what could not be written. */
  giveBack(uses: readonly DailyUse[]): void {
    for (const { keyId, useDate, requests } of uses) {
      const same = `${keyId} ${useDate}`;
      const sum = requests + (this.#carried.get(same)?.requests ?? 0);
      this.#carried.set(same, { keyId, useDate, requests: sum });
    }
  }

  /** Whether there are keys whose month could not be read. */
  get hasMissed(): boolean {
    return this.#unread.size > 0;
  }

  /**
   * Reads what could not be read before; fails as long as it cannot be. Nothing that was taken may be
   * anywhere but where `readMonthUse` finds it.
   */
  async readMissed(): Promise<void> {
    for (const use of this.#unread) {
      const written = await this.#readMonthUse(use.keyId, use.unwrittenDate);
      use.usedInMonth = written + this.#countUnwritten(use.keyId, use.unwrittenDate);
      this.#unread.delete(use);
    }
  }

  /** Lets go of keys that are idle, where there are too many; only when all that was taken is folded. */
  forgetIdle(): void {
    const nowMs = this.now();
    for (const use of this.#uses.values()) {
      const isIdle = use.recent.count(nowMs) === 0 && use.unwritten === 0;
      if (isIdle && this.#uses.size > idleKeysMax) this.#uses.delete(use.keyId);
    }
  }

  async #load(keyId: string): Promise<Use> {
    const use = this.#begin(keyId, false);
    try {
      const written = await this.#readMonthUse(keyId, use.unwrittenDate);
      use.usedInMonth = written + this.#countUnwritten(keyId, use.unwrittenDate, use);
    } catch {
      // That the database is away is told by what watches it.
      this.#unread.add(use);
    }
    // One that was begun meanwhile has counted requests.
    const begun = this.find(keyId);
    if (begun !== undefined) return begun;
    this.#uses.set(keyId, use);
    return use;
  }

  /** A page for this month; not in use before it is read, unless its month is known elsewhere. */
  #begin(keyId: string, isKnown = true): Use {
    const before = this.#uses.get(keyId);
    // A clock that went back over the end of a month may come to one that has been charged already.
    if (before !== undefined) this.#carry(before);
    const use: Use = {
      keyId,
      recent: before?.recent ?? new SlidingWindow(),
      month: this.#calendar.month,
      usedInMonth: 0,
      unwritten: 0,
      unwrittenDate: this.#calendar.date,
    };
    if (isKnown) this.#uses.set(keyId, use);
    return use;
  }

  /** What a key was charged in the month of a date and is not written; it may be on several days. */
  #countUnwritten(keyId: string, date: IsoDate, use = this.#uses.get(keyId)): number {
    const { first, nextFirst } = monthOf(date);
    const isInMonth = (day: IsoDate): boolean => day >= first && day < nextFirst;
    let count = use !== undefined && isInMonth(use.unwrittenDate) ? use.unwritten : 0;
    for (const { useDate, keyId: of, requests } of this.#carried.values()) {
      if (of === keyId && isInMonth(useDate)) count += requests;
    }
    return count;
  }

  #carry(use: Use): void {
    if (use.unwritten === 0) return;
    const { keyId, unwrittenDate: useDate, unwritten: requests } = use;
    this.giveBack([{ keyId, useDate, requests }]);
    use.unwritten = 0;
  }
}
