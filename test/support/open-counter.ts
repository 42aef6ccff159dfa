import { Counter } from '../../src/access/limits/counter.ts';
import type { LimitedKey } from '../../src/access/limits/key-limits.ts';
import { Ledger } from '../../src/access/usage/ledger.ts';
import type { DailyUse } from '../../src/access/usage/store.ts';
import type { Cost } from '../../src/platform/http/request-cost.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { SettableClock } from './settable-clock.ts';

/** A replica without Redis, whose use is written when a test says so. */
export type OpenCounter = {
  readonly counter: Counter;
  readonly ledger: Ledger;
  /** The outcomes of charges that come together, each of which counts as `cost` requests. */
  readonly charge: (key: LimitedKey, times?: number, cost?: Cost) => Promise<string[]>;
  readonly write: () => Promise<void>;
  readonly usedInMonth: (key: LimitedKey) => Promise<number>;
};

/** Replicas on one clock and one table of use, which are in memory. */
export class CounterWorld {
  readonly clock: SettableClock;
  /** Every row that was ever added. */
  readonly rows: DailyUse[] = [];
  /** The key of each read of a month. */
  readonly reads: string[] = [];
  /** A read waits for `ready`, and then fails while the database is away. */
  readonly database = { isAway: false, ready: Promise.resolve() };
  /** The number of replicas, as each of them knows it. */
  replicas = 1;

  constructor(at = '2026-11-20T07:00:00.000Z') {
    this.clock = new SettableClock(at);
  }

  open(): OpenCounter {
    const ledger = new Ledger(async (keyId, date) => this.#read(keyId, date));
    const counter = new Counter({
      clock: this.clock,
      ledger,
      readMonth: async (keyId, date) => ledger.readMonth(keyId, date),
      redis: undefined,
      countReplicas: () => this.replicas,
      defaults: { rateLimit: 600, quota: 100_000 },
    });
    return {
      counter,
      ledger,
      charge: async (key, times = 1, cost = 1) => {
        const charges = Array.from({ length: times }, async () => counter.charge(key, cost));
        return (await Promise.all(charges)).map((refusal) => refusal?.kind ?? 'ok');
      },
      write: async () => ledger.flush(async (uses) => void this.rows.push(...uses)),
      usedInMonth: async (key) => (await counter.describe(key)).usedInMonth,
    };
  }

  async #read(keyId: string, date: string): Promise<number> {
    this.reads.push(keyId);
    const written = this.rows
      .filter((use) => use.keyId === keyId && use.useDate.slice(0, 7) === date.slice(0, 7))
      .reduce((sum, { requests }) => sum + requests, 0);
    await this.database.ready;
    if (this.database.isAway) throw new Error('the database is away');
    return written;
  }
}

/** A key without limits, but for those given. */
export function limitedKey(own: Partial<LimitedKey> = {}): LimitedKey {
  return { id: 'key_1', rateLimit: 'none', quota: 'none', ...own };
}

export function dailyUse(useDate: string, requests: number, keyId = 'key_1'): DailyUse {
  return { keyId, useDate: isoDate(useDate), requests };
}
