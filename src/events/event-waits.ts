import type { Db } from '../platform/database/database.ts';
import { pause, type Timers } from '../platform/timers.ts';
import { readMarks } from './epochs.ts';
import type { LogReader } from './log-reader.ts';
import { listAll, type LogRow, type Range, type VisibleTypes } from './log-rows.ts';
import { cursorPrinter, makePage, type Page, type PrintBody, printRows } from './page.ts';

/** Interval at which the log is read while requests wait; also the precision of their deadlines. */
const pollMs = 100;
/** Interval at which the key of a waiting request is checked. */
const checkMs = 1_000;
/** Events that one query reads. */
const portionMax = 500;

/** A request that waits for an event. */
export type WaitRequest = {
  readonly keyId: string;
  readonly types: VisibleTypes;
  /** The position up to which the log was searched for the request. */
  readonly after: number;
  readonly limit: number;
  readonly forMs: number;
  /** Throws or rejects if the request's key does not work any more. */
  readonly check: () => void | Promise<void>;
  /** Aborted if the caller disconnects. */
  readonly signal: AbortSignal;
};

type Wait = Omit<WaitRequest, 'after' | 'forMs' | 'signal'> & {
  readonly untilMs: number;
  checkedAtMs: number;
  /** The position up to which the log was searched for the request. */
  searchedTo: number;
  readonly resolve: (page: Page | undefined) => void;
  readonly reject: (error: unknown) => void;
};

type Parts = {
  readonly db: Db;
  readonly timers: Timers;
  readonly reader: LogReader;
  readonly printBody: PrintBody;
};

/**
 * Waits for events (rule E4).
 *
 * All waits of this process share one timer and one small query per interval; a wait is an entry in a set. If there are
 * new events, they are read and printed once, and each wait gets those that its key sees. So an event that a thousand
 * requests wait for is not a thousand queries.
 */
export class EventWaits {
  readonly #parts: Parts;
  readonly #waits = new Set<Wait>();
  readonly #stopping = new AbortController();
  #isPolling = false;
  #isReading = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The number of requests that wait now. */
  get count(): number {
    return this.#waits.size;
  }

  /**
   * Resolves with the first events after `after`; with undefined if there are none after `forMs`, if the caller
   * disconnects, or if the process stops. Rejects if the key stops working or the log cannot be read.
   */
  async wait({ after, forMs, signal, ...request }: WaitRequest): Promise<Page | undefined> {
    if (signal.aborted || this.#stopping.signal.aborted) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<Page | undefined>();
    const nowMs = this.#parts.timers.now();
    const times = { untilMs: nowMs + forMs, checkedAtMs: nowMs };
    const wait = { ...request, ...times, searchedTo: after, resolve, reject };
    this.#waits.add(wait);
    const end = (): void => resolve(undefined);
    signal.addEventListener('abort', end);
    if (!this.#isPolling) void this.#poll();
    try {
      return await promise;
    } finally {
      this.#waits.delete(wait);
      signal.removeEventListener('abort', end);
    }
  }

  /** Ends all waits, and those that begin later. */
  stop(): void {
    this.#stopping.abort();
    for (const { resolve } of this.#waits) resolve(undefined);
  }

  async #poll(): Promise<void> {
    const { timers } = this.#parts;
    const { signal } = this.#stopping;
    this.#isPolling = true;
    while (this.#waits.size > 0 && !signal.aborted) {
      await pause(timers, pollMs, signal);
      const nowMs = timers.now();
      for (const wait of this.#waits) {
        if (wait.untilMs <= nowMs) wait.resolve(undefined);
        else if (nowMs - wait.checkedAtMs >= checkMs) checkKey(wait, nowMs);
      }
      // Not awaited: deadlines are kept while the database hangs.
      if (!this.#isReading) void this.#read();
    }
    this.#isPolling = false;
  }

  async #read(): Promise<void> {
    const { reader } = this.#parts;
    this.#isReading = true;
    try {
      const { position: horizon } = await reader.readHorizon();
      let after: number;
      while ((after = this.#searchedByAll()) < horizon) {
        await this.#readPortion({ after, upTo: horizon });
      }
    } catch (error) {
      for (const { reject } of this.#waits) reject(error);
    }
    this.#isReading = false;
  }

  /** The position up to which the log was searched for every wait; infinite if there are none. */
  #searchedByAll(): number {
    return [...this.#waits].reduce((least, wait) => Math.min(least, wait.searchedTo), Infinity);
  }

  async #readPortion({ after, upTo: horizon }: Range): Promise<void> {
    const { db } = this.#parts;
    const { rows, hasMore } = await listAll(db, { after, upTo: horizon, limit: portionMax });
    const upTo = hasMore ? (rows.at(-1)?.position ?? horizon) : horizon;
    await this.#answer(rows, { after, upTo });
  }

  async #answer(rows: readonly LogRow[], { after, upTo }: Range): Promise<void> {
    // It remembers the bodies that are made from other rows, so each is made once for all waits.
    const { printBody } = this.#parts;
    const cursors = await this.#parts.reader.cursors();
    const marks = await readMarks(this.#parts.db, { from: after, to: upTo });
    const printCursor = cursorPrinter(cursors, marks);
    for (const wait of this.#waits) {
      // A wait that has begun at an earlier position meanwhile would miss the events up to here: it is searched next.
      if (wait.searchedTo < after) continue;
      const seen = rows.filter((row) => row.position > wait.searchedTo && isVisible(row, wait));
      if (seen.length === 0) {
        wait.searchedTo = Math.max(wait.searchedTo, upTo);
        continue;
      }
      const printed = await printRows(seen.slice(0, wait.limit), printBody);
      const hasMore = printed.length < seen.length;
      wait.resolve(makePage(printed, { printCursor, hasMore, readTo: upTo }));
      this.#waits.delete(wait);
    }
  }
}

function checkKey(wait: Wait, nowMs: number): void {
  wait.checkedAtMs = nowMs;
  try {
    wait.check()?.catch(wait.reject);
  } catch (error) {
    wait.reject(error);
  }
}

function isVisible({ type, keyId }: LogRow, wait: Wait): boolean {
  if (keyId === null) return wait.types.public.includes(type);
  return keyId === wait.keyId && wait.types.key.includes(type);
}
