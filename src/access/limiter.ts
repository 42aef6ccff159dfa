import type { RequestLimit } from '../platform/request-limit.ts';
import { type Clock, type IsoDate, momentIn } from '../platform/time.ts';
import { type Allowance, findRefusal, type Month, type Refusal } from './allowance.ts';
import { Calendar } from './calendar.ts';
import { RecentRequests } from './recent-requests.ts';
import type { KeyRecord } from './store.ts';
import type { DailyUse } from './use-store.ts';

/** Keys whose use stays in memory while they are idle; each costs about 300 bytes. */
const idleKeysMax = 200_000;

/** The part of a key that limits are about. */
export type LimitedKey = Pick<KeyRecord, 'id' | 'rateLimit' | 'quota'>;

/** What is counted for a key in a month; in another month it is made anew. */
type Use = {
  readonly keyId: string;
  readonly recent: RecentRequests;
  readonly month: Month;
  usedInMonth: number;
  /** What is not written yet, and the day that it belongs to. */
  unwritten: number;
  unwrittenDate: IsoDate;
};

export type LimiterParts = {
  readonly clock: Clock;
  /** For keys without their own. */
  readonly defaults: { readonly rateLimit: RequestLimit; readonly quota: RequestLimit };
  /** Requests that were charged to a key in the month of a date, as far as they are written. */
  readonly readMonthUse: (keyId: string, date: IsoDate) => Promise<number>;
};

/**
 * Counts requests against rate limits and quotas (contract C26).
 *
 * All counting is in memory and at once, so a limit is exact however many requests come together; what was
 * charged is written behind by the `UseWriter`. The first charge of a key in a month reads what is written.
 * Where that fails, counting begins at nothing and is put right when the database is back: an outage of it
 * costs nobody an answer.
 */
export class Limiter {
  readonly #parts: LimiterParts;
  readonly #calendar: Calendar;
  readonly #uses = new Map<string, Use>();
  readonly #loading = new Map<string, Promise<Use>>();
  /** Those whose month could not be read yet. */
  readonly #unread = new Set<Use>();
  /** Those with something unwritten, each once. */
  #changed: Use[] = [];
  /** Unwritten use of days that have ended, or that could not be written, by key and day. */
  readonly #carried = new Map<string, DailyUse>();

  constructor(parts: LimiterParts) {
    this.#parts = parts;
    this.#calendar = new Calendar(parts.clock);
  }

  /** Charges one request, or says why not; a refused one costs nothing. */
  charge(key: LimitedKey): (Refusal | undefined) | Promise<Refusal | undefined> {
    const nowMs = this.#calendar.now();
    const use = this.#uses.get(key.id);
    return use?.month === this.#calendar.month
      ? this.#charge(key, use, nowMs)
      : // Again from the start, because the month may have turned while it was read.
        this.#load(key.id).then(async () => this.charge(key));
  }

  /** Where a key stands; costs nothing. */
  async describe(key: LimitedKey): Promise<Allowance & { readonly nowMs: number }> {
    const nowMs = this.#calendar.now();
    const known = this.#uses.get(key.id);
    if (known?.month !== this.#calendar.month) {
      await this.#load(key.id);
      return this.describe(key);
    }
    return { ...this.#allowanceOf(key, known), nowMs };
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
      const written = await this.#parts.readMonthUse(use.keyId, use.unwrittenDate);
      use.usedInMonth = written + this.#countUnwritten(use);
      this.#unread.delete(use);
    }
  }

  /** Lets go of keys that are idle, where there are too many; only when all that was taken is folded. */
  forgetIdle(): void {
    const nowMs = this.#calendar.now();
    for (const use of this.#uses.values()) {
      const isIdle = use.recent.count(nowMs) === 0 && use.unwritten === 0;
      if (isIdle && this.#uses.size > idleKeysMax) this.#uses.delete(use.keyId);
    }
  }

  #charge(key: LimitedKey, use: Use, nowMs: number): Refusal | undefined {
    const refusal = findRefusal(this.#allowanceOf(key, use), nowMs);
    if (refusal !== undefined) return refusal;

    use.recent.add(nowMs);
    use.usedInMonth += 1;
    if (use.unwrittenDate !== this.#calendar.date) {
      this.#carry(use);
      use.unwrittenDate = this.#calendar.date;
    }
    if (use.unwritten === 0) this.#changed.push(use);
    use.unwritten += 1;
    return undefined;
  }

  #allowanceOf(key: LimitedKey, use: Use): Allowance {
    const { defaults } = this.#parts;
    return {
      rateLimit: key.rateLimit === 'default' ? defaults.rateLimit : key.rateLimit,
      quota: key.quota === 'default' ? defaults.quota : key.quota,
      recent: use.recent,
      usedInMonth: use.usedInMonth,
      month: use.month,
    };
  }

  /** Reads a key's month once, however many requests wait for it. */
  async #load(keyId: string): Promise<Use> {
    const loading = this.#loading.get(keyId);
    if (loading !== undefined) return loading;
    const started = this.#read(keyId).finally(() => this.#loading.delete(keyId));
    this.#loading.set(keyId, started);
    return started;
  }

  async #read(keyId: string): Promise<Use> {
    const before = this.#uses.get(keyId);
    // A clock that went back over the end of a month may come to one that has been charged already.
    if (before !== undefined) this.#carry(before);
    const use: Use = {
      keyId,
      recent: before?.recent ?? new RecentRequests(),
      month: this.#calendar.month,
      usedInMonth: 0,
      unwritten: 0,
      unwrittenDate: this.#calendar.date,
    };
    try {
      const written = await this.#parts.readMonthUse(keyId, use.unwrittenDate);
      use.usedInMonth = written + this.#countUnwritten(use);
    } catch {
      // That the database is away is told by what watches it.
      this.#unread.add(use);
    }
    this.#uses.set(keyId, use);
    return use;
  }

  /** What a key was charged in a month and is not written; it may be on several days. */
  #countUnwritten({ keyId, month, unwritten }: Use): number {
    let count = unwritten;
    for (const { useDate, keyId: of, requests } of this.#carried.values()) {
      if (of !== keyId) continue;
      const dayStartsMs = momentIn('UTC', useDate, 0);
      if (dayStartsMs >= month.startsMs && dayStartsMs < month.endsMs) count += requests;
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
