import { type LimitedKey, LocalLimiter } from '../../src/access/limits/limiter.ts';
import { UseBook } from '../../src/access/usage/ledger.ts';
import type { DailyUse } from '../../src/access/usage/store.ts';
import { isoDate } from '../../src/platform/time.ts';
import { SettableClock } from './settable-clock.ts';

/** A limiter in standing time, and the book that its use is written to. */
export function openLimiter(at = '2026-11-20T07:00:00.000Z') {
  const clock = new SettableClock(at);
  /** Every row that was ever added. */
  const book: DailyUse[] = [];
  /** Which key was read, and the date of the month. */
  const reads: string[] = [];
  /** Reading waits for `ready`, and then fails while it is away. */
  const database = { isAway: false, ready: Promise.resolve() };
  const uses = new UseBook({
    clock,
    readMonthUse: async (keyId, date) => {
      reads.push(`${keyId} ${date}`);
      const written = book
        .filter((use) => use.keyId === keyId && use.useDate.slice(0, 7) === date.slice(0, 7))
        .reduce((sum, { requests }) => sum + requests, 0);
      await database.ready;
      if (database.isAway) throw new Error('the database is away');
      return written;
    },
  });
  const limiter = new LocalLimiter({ book: uses, defaults: { rateLimit: 600, quota: 100_000 } });
  /** The outcomes of so many charges that come together, each of which counts as `cost` requests. */
  const charge = async (key: LimitedKey, times = 1, cost = 1): Promise<string[]> => {
    const charges = Array.from({ length: times }, async () => limiter.charge(key, cost));
    return (await Promise.all(charges)).map((refusal) => refusal?.kind ?? 'ok');
  };
  const write = (): void => {
    for (const row of uses.takeUnwritten()) book.push(row);
  };
  const usedInMonth = async (key: LimitedKey) => (await limiter.describe(key)).usedInMonth;
  return { clock, book, reads, database, uses, limiter, charge, write, usedInMonth };
}

/** A key without limits, but for those given. */
export function limitedKey(own: Partial<LimitedKey> = {}): LimitedKey {
  return { id: 'key_1', rateLimit: 'none', quota: 'none', ...own };
}

export function dailyUse(useDate: string, requests: number, keyId = 'key_1'): DailyUse {
  return { keyId, useDate: isoDate(useDate), requests };
}
