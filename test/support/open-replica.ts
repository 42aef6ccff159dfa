import type { Cost } from '../../src/platform/http/request-cost.ts';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { type Access, createAccess } from '../../src/access/create-access.ts';
import type { LimitedKey } from '../../src/access/limits/key-limits.ts';
import type { Standing } from '../../src/access/limits/counter.ts';
import type { Db } from '../../src/platform/database/database.ts';
import { RevisionWatch } from '../../src/platform/database/replicas/revisions.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import type { RedisConnection } from '../../src/platform/redis/connection.ts';
import { type Clock, systemClock } from '../../src/platform/time/time.ts';
import { connectRedis } from './open-redis.ts';
import { openTemporaryDatabase } from './temporary-database.ts';
import { trusted } from './clock-guard.ts';

/** The number of charges with each outcome. */
export type Tally = {
  readonly ok: number;
  readonly rateLimited: number;
  readonly quotaExceeded: number;
};

/** One process that serves: its connections to Redis and to the database, its counter and its flusher. */
export class Replica {
  /** Undefined without Redis. */
  readonly redis: RedisConnection | undefined;
  readonly db: Db;
  readonly access: Access;

  /** Writes use if a test calls `write`, or by itself after `startFlusher`. */
  static async open(where: {
    readonly databaseUrl: string;
    readonly redisUrl?: string;
    /** Number of processes that serve, as far as this one knows; 1 by default. */
    readonly countReplicas?: () => number;
    readonly clock?: Clock;
  }): Promise<Replica> {
    const { redisUrl } = where;
    const redis = redisUrl === undefined ? undefined : (await connectRedis(redisUrl)).redis;
    const db = await openTemporaryDatabase(where.databaseUrl);
    const log = pino({ level: 'silent' });
    const access = createAccess({
      config: { rateLimitPerMinute: 600, quotaPerMonth: 100_000, failedAuthPerMinute: 600 },
      db,
      redis,
      countReplicas: where.countReplicas ?? (() => 1),
      watch: new RevisionWatch(db, () => {}),
      clock: where.clock ?? systemClock,
      clockGuard: trusted,
      log,
      metrics: createMetrics(),
    });
    return new Replica({ redis, db, access });
  }

  private constructor(parts: {
    readonly redis: RedisConnection | undefined;
    readonly db: Db;
    readonly access: Access;
  }) {
    this.redis = parts.redis;
    this.db = parts.db;
    this.access = parts.access;
  }

  /** Charges several requests at the same time; each counts as `cost` requests. */
  async charge(key: LimitedKey, times = 1, cost: Cost = 1): Promise<Tally> {
    const { counter } = this.access;
    const charges = Array.from({ length: times }, async () => counter.charge(key, cost));
    const kinds = (await Promise.all(charges)).map((refusal) => refusal?.kind ?? 'ok');
    const count = (wanted: string): number => kinds.filter((kind) => kind === wanted).length;
    return {
      ok: count('ok'),
      rateLimited: count('rateLimited'),
      quotaExceeded: count('quotaExceeded'),
    };
  }

  async describe(key: LimitedKey): Promise<Standing> {
    return this.access.counter.describe(key);
  }

  /** Requests charged in the window and in the month. */
  async used(key: LimitedKey): Promise<readonly [number, number]> {
    const { usedInWindow, usedInMonth } = await this.describe(key);
    return [usedInWindow, usedInMonth];
  }

  /** Writes all use so far; the flusher cannot be started after this. */
  async write(): Promise<void> {
    await this.access.flusher.stop();
  }

  async startFlusher(): Promise<void> {
    onTestFinished(async () => this.write());
    await this.access.flusher.start();
  }
}

/** The outcomes of several tallies together. */
export function addUp(tallies: readonly Tally[]): Tally {
  const sum = (kind: keyof Tally): number =>
    tallies.reduce((total, tally) => total + tally[kind], 0);
  return {
    ok: sum('ok'),
    rateLimited: sum('rateLimited'),
    quotaExceeded: sum('quotaExceeded'),
  };
}
