import { type Cost, costOf } from '../../platform/request-cost.ts';
import type { Clock, IsoDate } from '../../platform/time.ts';
import type { Ledger } from '../usage/ledger.ts';
import { type Month, UtcMonth } from '../utc-month.ts';
import type { Limits } from './key-limits.ts';
import { RedisSyncState } from './redis-sync-state.ts';
import { findRefusal, type Refusal } from './refusal.ts';
import { SlidingWindow } from './sliding-window.ts';

/** Number of keys above which idle ones are forgotten; each takes about 300 bytes. */
const idleKeysMax = 200_000;
/** A key is idle if it had no request in the last minute. A shorter interval would find few more. */
const forgetEveryMs = 60_000;
/** Time until a month is read again. By then other processes have written their earlier charges. */
const readAgainMs = 2_000;

/** A key's counts in a month, as far as this process knows them. */
export type LimitState = {
  readonly keyId: string;
  readonly month: Month;
  /** Requests of the last minute that this process admitted. */
  readonly recent: SlidingWindow;
  readonly redis: RedisSyncState;
  /** Requests charged in the month, by all processes as far as is known here. */
  usedInMonth: number;
  /** Requests of the month that this process admitted without Redis since Redis last decided. */
  admittedAlone: number;
  /** The epoch in which the month was read; undefined before. */
  epoch: number | undefined;
  /** When the month is to be read again; Infinity for never. */
  readAgainAtMs: number;
};

type Parts = {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'add'>;
  /** Reads the requests charged to a key in the month of a date; rejects without the database. */
  readonly readMonth: (keyId: string, date: IsoDate) => Promise<number>;
  /** Changes when Redis goes away or returns; months are then read again. */
  readonly epoch: () => number;
};

/**
 * The counts of all keys in memory.
 *
 * The first request of a key in a month reads what the database has. If that fails, counting begins at 0, and the
 * month is read again later: an outage of the database refuses no request.
 */
export class LimitStates {
  readonly #parts: Parts;
  readonly #utcMonth: UtcMonth;
  readonly #states = new Map<string, LimitState>();
  readonly #loading = new Map<string, Promise<LimitState>>();
  #forgotAtMs = -Infinity;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#utcMonth = new UtcMonth(parts.clock);
  }

  now(): number {
    return this.#utcMonth.now();
  }

  /**
   * Calls `next` with the time and a key's counts in the month of that time: immediately if they are known, otherwise
   * when they are read.
   */
  whenKnown<T>(
    keyId: string,
    next: (state: LimitState, nowMs: number) => T | Promise<T>,
  ): T | Promise<T> {
    const nowMs = this.now();
    const state = this.#find(keyId, nowMs);
    if (state !== undefined) return next(state, nowMs);
    // From the start after loading, because the month may have ended meanwhile.
    return this.load(keyId).then(async () => this.whenKnown(keyId, next));
  }

  /** A key's counts in this month; waits for every read that is under way or due. */
  async readCurrent(keyId: string): Promise<LimitState> {
    for (;;) {
      const state = this.#find(keyId, this.now());
      if (state !== undefined && !this.#loading.has(keyId)) return state;
      await this.load(keyId);
    }
  }

  /** Reads a key's month, once for all requests that wait for it. Never rejects. */
  async load(keyId: string): Promise<LimitState> {
    const loading = this.#loading.get(keyId);
    if (loading !== undefined) return loading;
    const begun = this.#load(keyId).finally(() => this.#loading.delete(keyId));
    this.#loading.set(keyId, begun);
    return begun;
  }

  /** Charges a request by the counts of this process, or returns the reason why it is refused. */
  charge(
    state: LimitState,
    limits: Limits,
    wanted: { readonly nowMs: number; readonly cost: Cost; readonly replicas?: number },
  ): Refusal | undefined {
    const refusal = findRefusal(state, limits, wanted);
    if (refusal !== undefined) return refusal;
    state.usedInMonth += costOf(wanted.cost).quota;
    this.count(state, wanted.nowMs, wanted.cost);
    return undefined;
  }

  /** Counts an admitted request that `usedInMonth` includes already. */
  count({ keyId, recent }: LimitState, nowMs: number, cost: Cost): void {
    const { rateLimit, quota } = costOf(cost);
    if (rateLimit > 0) recent.add(nowMs, rateLimit);
    const use = { keyId, useDate: this.#utcMonth.date, requests: quota };
    if (quota > 0) this.#parts.ledger.add(use);
  }

  /** A key's counts in the month of the last `now`; undefined if they are to be loaded first. */
  #find(keyId: string, nowMs: number): LimitState | undefined {
    const state = this.#states.get(keyId);
    const isKnown = state?.month === this.#utcMonth.month && state.epoch === this.#parts.epoch();
    if (!isKnown) return undefined;
    // Requests do not wait for it.
    if (nowMs >= state.readAgainAtMs) void this.load(keyId);
    return state;
  }

  async #load(keyId: string): Promise<LimitState> {
    const nowMs = this.now();
    const state = this.#findOrCreate(keyId, nowMs);
    const epoch = this.#parts.epoch();
    // Requests that other processes counted while Redis was away may not be written yet.
    const isAgain = state.epoch !== undefined && state.epoch !== epoch;
    state.readAgainAtMs = isAgain ? nowMs + readAgainMs : Infinity;
    try {
      const used = await this.#parts.readMonth(keyId, this.#utcMonth.date);
      state.usedInMonth = Math.max(state.usedInMonth, used);
    } catch {
      // The health of the database is reported elsewhere.
      state.readAgainAtMs = this.now() + readAgainMs;
    }
    state.epoch = epoch;
    return state;
  }

  #findOrCreate(keyId: string, nowMs: number): LimitState {
    const { month } = this.#utcMonth;
    const before = this.#states.get(keyId);
    if (before?.month === month) return before;
    if (before === undefined) this.#forgetIdle(nowMs);
    const state: LimitState = {
      keyId,
      month,
      recent: before?.recent ?? new SlidingWindow(),
      redis: before?.redis ?? new RedisSyncState(),
      usedInMonth: 0,
      admittedAlone: 0,
      epoch: undefined,
      readAgainAtMs: Infinity,
    };
    this.#states.set(keyId, state);
    return state;
  }

  #forgetIdle(nowMs: number): void {
    if (this.#states.size < idleKeysMax || nowMs - this.#forgotAtMs < forgetEveryMs) return;
    this.#forgotAtMs = nowMs;
    for (const [keyId, { recent }] of this.#states) {
      if (recent.count(nowMs) === 0) this.#states.delete(keyId);
    }
  }
}
