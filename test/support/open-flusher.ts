import { setImmediate as turn } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/platform/log/log.ts';
import { Counter } from '../../src/access/limits/counter.ts';
import { UsageFlusher } from '../../src/access/usage/flusher.ts';
import { Ledger } from '../../src/access/usage/ledger.ts';
import { readMonthUse } from '../../src/access/usage/store.ts';
import { fakeTimeouts } from './driver-timers.ts';
import { SettableClock } from './settable-clock.ts';
import { openTemporaryDatabase, temporaryDatabaseUrl } from './temporary-database.ts';
import { trusted } from './clock-guard.ts';

/**
 * A flusher, not started, with the counter whose use it writes, and the database as another process has it.
 * A test moves the time of its ticker.
 */
export async function openFlusher({ url = temporaryDatabaseUrl(), readMonth = readMonthUse } = {}) {
  fakeTimeouts('performance');
  const [db, otherDb] = [await openTemporaryDatabase(url), await openTemporaryDatabase(url)];
  const clock = new SettableClock('2026-11-20T12:00:00.000Z');
  const ledger = new Ledger(async (keyId, date) => readMonth(db, keyId, date));
  const counter = new Counter({
    clock,
    ledger,
    readMonth: ledger.readMonth.bind(ledger),
    redis: undefined,
    countReplicas: () => 1,
    defaults: { rateLimit: 'none', quota: 'none' },
  });
  let lastUses = new Map<string, number>();
  const takeLastUses = (): ReadonlyMap<string, number> => {
    const taken = lastUses;
    lastUses = new Map();
    return taken;
  };
  const lines: { readonly msg: string; readonly err?: { readonly message: string } }[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const flusher = new UsageFlusher({ db, ledger, takeLastUses, clock, clockGuard: trusted, log });

  /** Waits until all due writes have ended. */
  const untilIdle = async (): Promise<void> => {
    // A poll of vitest would move the faked time.
    while (vi.getTimerCount() === 0) await turn();
  };
  const plain = { rateLimit: 'default', quota: 'default' } as const;
  return {
    flusher,
    ledger,
    start: async (): Promise<void> => {
      await flusher.start();
      onTestFinished(async () => flusher.stop());
      await untilIdle();
    },
    /** Moves the time, and waits for the writes that are due in it. */
    advance: async (ms: number): Promise<void> => {
      vi.advanceTimersByTime(ms);
      await untilIdle();
    },
    otherDb,
    clock,
    lines,
    charge: async (...keyIds: readonly string[]): Promise<void> => {
      for (const id of keyIds) await counter.charge({ id, ...plain });
    },
    /** Requests of a key in this month, as the counter counts them. */
    usedInMonth: async (id: string): Promise<number> =>
      (await counter.describe({ id, ...plain })).usedInMonth,
    /** Uses secrets, as the authenticator reports it. */
    use: (...secretHashes: readonly string[]): void => {
      for (const hash of secretHashes) lastUses.set(hash, clock.now());
    },
  };
}

/** `key_000` and so on, in the order in which they are written. */
export function namesOf(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `key_${String(n).padStart(3, '0')}`);
}
