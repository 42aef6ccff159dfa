import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { onTestFinished, vi } from 'vitest';
import { LocalLimiter } from '../../src/access/limits/limiter.ts';
import { UseBook } from '../../src/access/usage/ledger.ts';
import { readMonthUse } from '../../src/access/usage/store.ts';
import { UsageFlusher } from '../../src/access/usage/flusher.ts';
import { fakeTimeouts } from './driver-timers.ts';
import { SettableClock } from './settable-clock.ts';
import { openTemporaryDatabase, temporaryDatabaseUrl } from './temporary-database.ts';

/**
 * A writer, not started, with the limiter that it writes for, and the database as another process has it.
 * Time passes for its ticker when it is told to.
 */
export async function openFlusher({ url = temporaryDatabaseUrl(), readMonth = readMonthUse } = {}) {
  fakeTimeouts('performance');
  const [db, otherDb] = [await openTemporaryDatabase(url), await openTemporaryDatabase(url)];
  const clock = new SettableClock('2026-11-20T12:00:00.000Z');
  const monthsRead: string[] = [];
  const book = new UseBook({
    clock,
    readMonthUse: async (keyId, date) => {
      monthsRead.push(keyId);
      return readMonth(db, keyId, date);
    },
  });
  const limiter = new LocalLimiter({ book, defaults: { rateLimit: 'none', quota: 'none' } });
  let lastUses = new Map<string, number>();
  const takeLastUses = (): ReadonlyMap<string, number> => {
    const taken = lastUses;
    lastUses = new Map();
    return taken;
  };
  const lines: { readonly msg: string; readonly err?: { readonly message: string } }[] = [];
  const log = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  const writer = new UsageFlusher({ db, book, takeLastUses, clock, log });

  /** Waits until everything is written that was to be written by now. */
  const untilIdle = async (): Promise<void> => {
    // Not a poll of vitest's, which moves the time that is faked.
    while (vi.getTimerCount() === 0) await turn();
  };
  const plain = { rateLimit: 'default', quota: 'default' } as const;
  return {
    writer,
    start: async (): Promise<void> => {
      await writer.start();
      onTestFinished(async () => writer.stop());
      await untilIdle();
    },
    /** Lets time pass, and what is to be written in it be written. */
    advance: async (ms: number): Promise<void> => {
      vi.advanceTimersByTime(ms);
      await untilIdle();
    },
    limiter,
    book,
    otherDb,
    clock,
    lines,
    /** The keys whose month was read, in order. */
    monthsRead,
    charge: async (...keyIds: readonly string[]): Promise<void> => {
      for (const id of keyIds) await limiter.charge({ id, ...plain });
    },
    /** What the limiter thinks that a key was charged this month. */
    usedInMonth: async (id: string): Promise<number> =>
      (await limiter.describe({ id, ...plain })).usedInMonth,
    /** Lets secrets be used, as the guard would tell it. */
    use: (...secretHashes: readonly string[]): void => {
      for (const hash of secretHashes) lastUses.set(hash, clock.now());
    },
  };
}

/** `key_000` and so on, in the order in which they are written. */
export function namesOf(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `key_${String(n).padStart(3, '0')}`);
}
