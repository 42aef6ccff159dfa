import { LRUCache } from 'lru-cache';
import { formatInstant, type IsoDate } from '../../platform/time/time.ts';
import type { Month } from '../utc-month.ts';
import { type Refusal, windowSeconds } from './refusal.ts';

export const windowMs = windowSeconds * 1_000;
/** Keys in memory, about 300 bytes each; the least recent ones are forgotten first. */
const keysMax = 200_000;
/** Use is written by this time after its charge. */
export const writtenMs = 2_000;

export type Outcome = 'charged' | Refusal['kind'];

/** How many requests of a group were charged, which are the first ones, and the outcome of the others. */
export type Charged = { readonly charged: number; readonly kind: Outcome };

/** Requests of a key that come in one turn of the event loop and are equal; Redis charges them with one call. */
export type Group = {
  /** The rate limit, the quota, and the cost of a request for each. */
  readonly charge: readonly [number, number, number, number];
  size: number;
  /** Undefined without an answer of Redis. */
  readonly answer: Promise<Charged | undefined>;
};

/** The use of a key in a month, as far as a replica knows it. */
export type Use = {
  readonly keyId: string;
  readonly month: Month;
  /** Requests since the first one of the window, which lasts until `endsMs`. */
  readonly window: { count: number; endsMs: number };
  /** Requests charged in the month, by all replicas as far as this one knows. */
  used: number;
  /** Requests that the others are taken to have charged since the last read of the month, and between the last two. */
  sinceRead: number;
  beforeRead: number;
  /** When the last read began; -Infinity before the first. */
  readAtMs: number;
  hasReadFailed: boolean;
  reading: Promise<void> | undefined;
  /** When a request was last charged that other replicas do not see until it is written. */
  aloneAtMs: number;
  /** The group that takes the next request if that is equal. */
  gathering: Group | undefined;
};

type Parts = {
  /** Reads the requests charged to a key in the month of a date; rejects without the database. */
  readonly readMonth: (keyId: string, date: IsoDate) => Promise<number>;
  /** Whether Redis answers: no replica charges alone then. */
  readonly isTogether: () => boolean;
};

/** The keys in memory. Their months are read from the usage table: first of all, and again as long as others charge unseen. */
export class KnownUses {
  readonly #parts: Parts;
  // Counted by size, because a plain maximum allocates its room at the start.
  readonly #uses = new LRUCache<string, Use>({ maxSize: keysMax, sizeCalculation: () => 1 });

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The known use of a key in a month; its window goes on in the next month. */
  find(keyId: string, month: Month): Use {
    const before = this.#uses.get(keyId);
    if (before?.month === month) return before;
    const window = before?.window ?? { count: 0, endsMs: 0 };
    const counts = { used: 0, sinceRead: 0, beforeRead: 0 };
    const reads = { readAtMs: -Infinity, hasReadFailed: false, reading: undefined };
    const state = { aloneAtMs: -Infinity, gathering: undefined };
    const use: Use = { keyId, month, window, ...counts, ...reads, ...state };
    this.#uses.set(keyId, use);
    return use;
  }

  /**
   * Reads a key's month if it never was. Unless `everyMs` is undefined, reads it again after that time, or earlier if the last
   * read failed or may have missed what was charged alone. Returns what a request has to wait for: not again and again for a
   * database that is away.
   */
  readIfDue(use: Use, nowMs: number, everyMs: number | undefined): Promise<void> | undefined {
    const isUnsettled = use.hasReadFailed || use.readAtMs < use.aloneAtMs + writtenMs;
    const dueMs = everyMs !== undefined && isUnsettled ? writtenMs : (everyMs ?? Infinity);
    const isDue = Math.abs(nowMs - use.readAtMs) >= dueMs;
    const reading = isDue ? this.read(use, nowMs) : undefined;
    return use.hasReadFailed ? undefined : reading;
  }

  /** Reads a key's month, once for all requests that wait for it. Never rejects. */
  async read(use: Use, nowMs: number): Promise<void> {
    use.reading ??= this.#read(use, nowMs).finally(() => (use.reading = undefined));
    return use.reading;
  }

  async #read(use: Use, beganMs: number): Promise<void> {
    const { sinceRead } = use;
    try {
      const used = await this.#parts.readMonth(use.keyId, startOf(use.month));
      const isSettled = this.#parts.isTogether() && beganMs >= use.aloneAtMs + writtenMs;
      use.used = Math.max(use.used, used);
      use.sinceRead -= sinceRead;
      // Another replica may have charged as much, and not have written it yet.
      use.beforeRead = isSettled ? 0 : sinceRead;
      use.hasReadFailed = false;
    } catch {
      // The health of the database is reported elsewhere; the counts stay as they are.
      use.hasReadFailed = true;
    }
    use.readAtMs = beganMs;
  }
}

/** The window of a key; empty if it has ended, or began more than a second from now because the clock was set back. */
export function windowOf({ window }: Use, nowMs: number): Use['window'] {
  const isOpen = nowMs < window.endsMs && window.endsMs <= nowMs + windowMs + 1_000;
  return isOpen ? window : Object.assign(window, { count: 0, endsMs: 0 });
}

export function startOf({ startsMs }: Month): IsoDate {
  return formatInstant(startsMs).slice(0, 10) as IsoDate;
}
