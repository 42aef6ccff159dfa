import type { LimitedKey } from '../../src/access/limits/key-limits.ts';
import { LimitStates } from '../../src/access/limits/limit-state.ts';
import { LocalLimiter } from '../../src/access/limits/limiter.ts';
import { Ledger } from '../../src/access/usage/ledger.ts';
import type { DailyUse } from '../../src/access/usage/store.ts';
import type { Cost } from '../../src/platform/request-cost.ts';
import { isoDate } from '../../src/platform/time.ts';
import { SettableClock } from './settable-clock.ts';

/** A limiter whose time a test moves, and the rows of its written use. */
export function openLimiter(at = '2026-11-20T07:00:00.000Z') {
  const clock = new SettableClock(at);
  /** Every row that was ever added. */
  const rows: DailyUse[] = [];
  /** The key of each read, and the date of the month. */
  const reads: string[] = [];
  /** A read waits for `ready`, and then fails while the database is away. */
  const database = { isAway: false, ready: Promise.resolve() };
  /** Changes when an outage of Redis begins or ends. */
  const redis = { epoch: 0 };
  const ledger = new Ledger(async (keyId, date) => {
    reads.push(`${keyId} ${date}`);
    const written = rows
      .filter((use) => use.keyId === keyId && use.useDate.slice(0, 7) === date.slice(0, 7))
      .reduce((sum, { requests }) => sum + requests, 0);
    await database.ready;
    if (database.isAway) throw new Error('the database is away');
    return written;
  });
  const readMonth = ledger.readMonth.bind(ledger);
  const states = new LimitStates({ clock, ledger, readMonth, epoch: () => redis.epoch });
  const limiter = new LocalLimiter({ states, defaults: { rateLimit: 600, quota: 100_000 } });
  /** The outcomes of charges that come together, each of which counts as `cost` requests. */
  const charge = async (key: LimitedKey, times = 1, cost: Cost = 1): Promise<string[]> => {
    const charges = Array.from({ length: times }, async () => limiter.charge(key, cost));
    return (await Promise.all(charges)).map((refusal) => refusal?.kind ?? 'ok');
  };
  const write = async (): Promise<void> => ledger.flush(async (uses) => void rows.push(...uses));
  const usedInMonth = async (key: LimitedKey) => (await limiter.describe(key)).usedInMonth;
  return {
    clock,
    rows,
    reads,
    database,
    redis,
    ledger,
    states,
    limiter,
    charge,
    write,
    usedInMonth,
  };
}

/** A key without limits, but for those given. */
export function limitedKey(own: Partial<LimitedKey> = {}): LimitedKey {
  return { id: 'key_1', rateLimit: 'none', quota: 'none', ...own };
}

export function dailyUse(useDate: string, requests: number, keyId = 'key_1'): DailyUse {
  return { keyId, useDate: isoDate(useDate), requests };
}
