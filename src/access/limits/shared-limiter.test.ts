import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { dailyUse, limitedKey } from '../../../test/support/open-limiter.ts';
import { hasRedis, openRedis, shareRedis } from '../../../test/support/open-redis.ts';
import { addUp, Replica } from '../../../test/support/open-replica.ts';
import { temporaryDatabaseUrl } from '../../../test/support/temporary-database.ts';
import { quotaOnly, rateOnly } from '../../platform/request-cost.ts';
import { formatInstant } from '../../platform/time.ts';
import { writeUse } from '../usage/store.ts';
import type { LimitedKey } from './key-limits.ts';

describe.skipIf(!hasRedis)('SharedLimiter (contract C26)', () => {
  const server = shareRedis();

  /** Replicas on one Redis and one database. */
  async function open(
    count: number,
    { redisUrl = server().url }: { redisUrl?: string } = {},
  ): Promise<readonly [Replica, ...Replica[]]> {
    await openRedis(server().url).flushall();
    const databaseUrl = temporaryDatabaseUrl();
    const parts = { databaseUrl, redisUrl };
    const first = await Replica.open(parts);
    const others = await Promise.all(
      Array.from({ length: count - 1 }, async () => Replica.open(parts)),
    );
    return [first, ...others];
  }

  const keyWith = (own: Partial<LimitedKey>): LimitedKey =>
    limitedKey({ id: `key_${randomUUID()}`, ...own });

  const today = formatInstant(Date.now()).slice(0, 10);

  it.each([
    ['rate limit', { rateLimit: 40 }, 'rateLimited'],
    ['quota', { quota: 40 }, 'quotaExceeded'],
    ['lower of both', { rateLimit: 70, quota: 40 }, 'quotaExceeded'],
  ] as const)('admits exactly the %s, from the first request on', async (_, own, refusal) => {
    const replicas = await open(3);
    const key = keyWith(own);

    const tallies = await Promise.all(replicas.map(async (replica) => replica.charge(key, 100)));

    const expected = { ok: 40, rateLimited: 0, quotaExceeded: 0, [refusal]: 260 };
    expect(addUp(tallies)).toEqual(expected);
  });

  it('counts a request against one of the limits only, also if the other is used up (rule K10)', async () => {
    const [one, other] = await open(2);
    const key = keyWith({ rateLimit: 3, quota: 2 });
    const tally = (ok: number, refused = {}) => ({
      ok,
      rateLimited: 0,
      quotaExceeded: 0,
      ...refused,
    });

    expect(await one.charge(key)).toEqual(tally(1));
    expect(await other?.charge(key, 3, rateOnly)).toEqual(tally(2, { rateLimited: 1 }));
    expect(await one.charge(key, 2, quotaOnly(1))).toEqual(tally(1, { quotaExceeded: 1 }));
    expect(await other?.charge(key, 1, quotaOnly(1))).toEqual(tally(0, { quotaExceeded: 1 }));
  });

  it('admits a request that counts as several only if all of them fit', async () => {
    const [one, other] = await open(2);
    const key = keyWith({ rateLimit: 10 });

    const tallies = [await one.charge(key, 1, 4), await other?.charge(key, 2, 4)];

    expect(tallies.map((tally) => tally?.ok)).toEqual([1, 1]);
    expect((await one.access.limiter.describe(key)).usedInMinute).toBe(8);
    expect((await one.charge(key, 3)).ok).toBe(2);
  });

  it('counts each key by itself', async () => {
    const [one, other] = await open(2);
    const [key, next] = [keyWith({ quota: 3 }), keyWith({ quota: 3 })];
    await one.charge(key, 5);

    expect((await other?.charge(next, 5))?.ok).toBe(3);
  });

  it('counts requests of a key without limits, and refuses none', async () => {
    const [one, other] = await open(2);
    const key = keyWith({ rateLimit: 'none', quota: 'none' });

    const tally = await one.charge(key, 1_000);

    expect(tally.ok).toBe(1_000);
    expect(await one.used(key)).toEqual([1_000, 1_000]);
    expect(await other?.used(key)).toEqual([1_000, 1_000]);
  });

  it('reports the month of a key without limits as far as it is written, also later', async () => {
    const [one, other] = await open(2);
    const key = keyWith({ rateLimit: 'none', quota: 'none' });
    await one.startFlusher();
    await one.charge(key, 10);
    await expect.poll(async () => (await other?.used(key))?.[1]).toBe(10);

    for (const sum of [15, 20]) {
      await one.charge(key, 5);
      await expect.poll(async () => (await other?.used(key))?.[1]).toBe(sum);
    }
  });

  it('applies the limits of the service to keys without their own', async () => {
    const [one, other] = await open(2);
    const key = keyWith({ rateLimit: 'default', quota: 'default' });

    const tallies = await Promise.all([one.charge(key, 400), other?.charge(key, 400)]);

    expect(tallies.reduce((sum, tally) => sum + (tally?.ok ?? 0), 0)).toBe(600);
    expect(await one.describe(key)).toMatchObject({ rateLimit: 600, quota: 100_000 });
  });

  it('follows a limit that changes', async () => {
    const [one, other] = await open(2);
    const key = keyWith({ rateLimit: 2 });

    const tallies = [
      await one.charge(key, 3),
      await other?.charge({ ...key, rateLimit: 5 }, 5),
      await one.charge({ ...key, rateLimit: 4 }),
      await one.charge({ ...key, rateLimit: 6 }),
    ];

    expect(tallies.map((tally) => tally?.ok)).toEqual([2, 3, 0, 1]);
  });

  it('reports the same use on each replica, and charges nothing for it', async () => {
    const replicas = await open(3);
    const key = keyWith({ rateLimit: 10, quota: 20 });
    for (const replica of replicas) await replica.charge(key, 2);

    const standings = await Promise.all(replicas.map(async (replica) => replica.describe(key)));

    for (const standing of standings) {
      expect(standing).toMatchObject({ usedInMinute: 6, usedInMonth: 6, rateLimit: 10, quota: 20 });
      expect(standing.minuteEndsMs - Date.now()).toBeGreaterThan(0);
      expect(standing.minuteEndsMs - Date.now()).toBeLessThanOrEqual(60_000);
    }
  });

  it('reports that the minute of a key without requests has ended', async () => {
    const [one] = await open(1);

    const { minuteEndsMs, usedInMinute } = await one.describe(keyWith({}));

    expect(usedInMinute).toBe(0);
    expect(minuteEndsMs).toBeLessThanOrEqual(Date.now());
  });

  it('reports when a refused request would be admitted', async () => {
    const [one, other] = await open(2);
    const [rate, quota] = [keyWith({ rateLimit: 1 }), keyWith({ quota: 1 })];
    await one.charge(rate);
    await one.charge(quota);

    const rateRefusal = await other?.access.limiter.charge(rate);
    const quotaRefusal = await other?.access.limiter.charge(quota);
    const { month } = await one.describe(quota);

    expect(rateRefusal).toMatchObject({ policy: 'rate-limit', limit: 1, windowSeconds: 60 });
    expect(rateRefusal?.retryAfterSeconds).toBeGreaterThan(0);
    expect(rateRefusal?.retryAfterSeconds).toBeLessThanOrEqual(60);
    const leftSeconds = Math.ceil((month.endsMs - Date.now()) / 1_000);
    expect(quotaRefusal).toMatchObject({
      policy: 'quota',
      limit: 1,
      windowSeconds: (month.endsMs - month.startsMs) / 1_000,
    });
    expect((quotaRefusal?.retryAfterSeconds ?? 0) - leftSeconds).toBeGreaterThanOrEqual(0);
    expect((quotaRefusal?.retryAfterSeconds ?? 0) - leftSeconds).toBeLessThan(30);
  });

  it('begins with the use that is in the database', async () => {
    const [one, other] = await open(2);
    const key = keyWith({ quota: 20 });
    await writeUse(one.db, [dailyUse(today, 12, key.id)]);

    expect((await other?.charge(key, 30))?.ok).toBe(8);
  });

  it('counts no use of another month', async () => {
    const [one] = await open(1);
    const key = keyWith({ quota: 3 });
    await writeUse(one.db, [dailyUse('2026-09-30', 5, key.id)]);

    expect((await one.charge(key, 5)).ok).toBe(3);
  });

  it('keeps its counts when a process is replaced', async () => {
    const databaseUrl = temporaryDatabaseUrl();
    const where = { databaseUrl, redisUrl: server().url };
    const key = keyWith({ rateLimit: 5, quota: 5 });
    const before = await Replica.open(where);
    await before.charge(key, 3);
    await before.write();
    before.redis.stop();

    const after = await Replica.open(where);

    expect((await after.charge(key, 5)).ok).toBe(2);
  });

  it('writes every admitted request, so that the days add up to their number', async () => {
    const [one, other] = await open(2);
    const key = keyWith({ quota: 10 });
    await Promise.all([one.charge(key, 9), other?.charge(key, 9)]);

    await one.write();
    await other?.write();

    const rows = await one.db.selectFrom('key_use').selectAll().execute();
    expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(10);
  });

  it('keeps two services apart that use different databases of one Redis', async () => {
    const [one] = await open(1, { redisUrl: `${server().url}/1` });
    const [other] = await open(1, { redisUrl: `${server().url}/2` });
    const key = keyWith({ rateLimit: 2 });

    expect([(await one.charge(key, 3)).ok, (await other.charge(key, 3)).ok]).toEqual([2, 2]);
  });
});
