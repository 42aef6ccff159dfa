import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { hasRedis, openEmptyRedis, shareRedis } from '../../../test/support/open-redis.ts';
import { TimedCounts } from '../../../test/support/timed-counts.ts';

// Redis expires keys by its own clock, so these moments are in the future.
const atMs = Date.parse('2087-11-20T12:00:00.000Z');
const nextMonthMs = Date.parse('2087-12-01T00:00:00.000Z');
const windowMs = 60_000;
const dayMs = 86_400_000;

describe.skipIf(!hasRedis)('the script that counts in Redis', () => {
  const server = shareRedis();

  async function open(): Promise<{ readonly redis: Redis; readonly counts: TimedCounts }> {
    const redis = await openEmptyRedis(server().url);
    return { redis, counts: new TimedCounts(redis, 'key_a') };
  }

  /** The same, with a month that Redis knows. */
  async function openKnown(known = 0): ReturnType<typeof open> {
    const opened = await open();
    await opened.counts.charge(atMs, { cost: 0, known });
    return opened;
  }

  it('keeps at most 603 entries for a minute, whatever the rate', async () => {
    const { redis, counts } = await openKnown();
    let longest = 0;

    for (let nowMs = atMs; nowMs < atMs + 130_000; nowMs += 33) {
      await counts.charge(nowMs);
      if (nowMs % 10 === 0) longest = Math.max(longest, await redis.llen(counts.minuteKey));
    }

    expect(longest).toBeGreaterThan(590);
    expect(longest).toBeLessThanOrEqual(603);
    const [, sum = 0] = (await redis.lindex(counts.minuteKey, -1))?.split(':').map(Number) ?? [];
    const { count } = await counts.charge(atMs + 130_000, { cost: 0 });
    expect(sum).toBeGreaterThan(count);
    // Every younger request counts, and few that are older than a minute.
    expect(count).toBeGreaterThanOrEqual(Math.floor(windowMs / 33));
    expect(count).toBeLessThanOrEqual(Math.ceil((windowMs + 100) / 33));
  });

  it('keeps only the generation permanently', async () => {
    const { redis, counts } = await openKnown();
    await counts.charge(atMs);

    const keys = await redis.keys('*');

    expect(keys.sort()).toEqual(['generation', counts.minuteKey, counts.monthKey(atMs)]);
    expect(await redis.pttl(counts.minuteKey)).toBeGreaterThan(windowMs);
    expect(await redis.pttl(counts.minuteKey)).toBeLessThanOrEqual(windowMs + 1_000);
    expect(await redis.pttl(counts.monthKey(atMs))).toBeGreaterThan(31 * dayMs);
    expect(await redis.pttl(counts.monthKey(atMs))).toBeLessThanOrEqual(40 * dayMs);
    expect(await redis.pttl('generation')).toBe(-1);
  });

  it('keeps the months of a key apart', async () => {
    const { redis, counts } = await openKnown(7);
    await counts.charge(nextMonthMs - 1);

    const reply = await counts.charge(nextMonthMs, { quota: 1 });

    expect(reply).toMatchObject({ kind: 'charged', count: 2, used: 1 });
    expect(await redis.get(counts.monthKey(atMs))).toBe('8');
    expect((await counts.charge(nextMonthMs, { quota: 1 })).kind).toBe('quotaExceeded');
  });

  it('answers the generation, and changes nothing, if a caller knows another one', async () => {
    const { redis, counts } = await openKnown(5);
    await counts.charge(atMs);

    const charge = [counts, { unreported: 3, known: 100, requests: 2 }] as const;
    const answer = await TimedCounts.call(atMs, [charge], 'other');

    expect(answer).toBe('first');
    const look = { cost: 0 };
    expect(await counts.charge(atMs, look)).toMatchObject({ count: 1, used: 6 });
    await redis.del('generation');
    expect(await TimedCounts.call(atMs, [charge], 'first', 'second')).toBe('second');
    expect(await TimedCounts.call(atMs, [[counts, look]], 'second', 'third')).toHaveLength(1);
  });

  it('adds requests to the minute that were admitted without Redis, before it decides', async () => {
    const { counts } = await openKnown();

    const reply = await counts.charge(atMs, { unreported: 4, requests: 3, rateLimit: 6 });

    expect(reply).toMatchObject({ kind: 'rateLimited', charged: 2, count: 6, used: 2 });
  });

  it('raises a month to the known count, and never lowers it', async () => {
    const { redis, counts } = await openKnown(10);
    const usedWith = async (known: number): Promise<number> =>
      (await counts.charge(atMs, { cost: 0, known })).used;

    expect([await usedWith(12), await usedWith(3)]).toEqual([12, 12]);
    await redis.del(counts.monthKey(atMs));
    expect(await counts.charge(atMs, { known: 15, quota: 16 })).toMatchObject({
      kind: 'charged',
      used: 16,
    });
  });

  it('looks without counting', async () => {
    const { counts } = await openKnown(3);
    await counts.charge(atMs);

    for (let n = 0; n < 3; n += 1) {
      const look = { cost: 0, rateLimit: 1, quota: 1 };
      expect(await counts.charge(atMs, look)).toMatchObject({ kind: 'counted', count: 1, used: 4 });
    }
  });

  it('checks the rate limit first, and charges nothing for refused requests', async () => {
    const { counts } = await openKnown(3);
    await counts.charge(atMs);

    const both = await counts.charge(atMs, { rateLimit: 1, quota: 4 });
    const quota = await counts.charge(atMs, { rateLimit: 2, quota: 4 });
    const after = await counts.charge(atMs, { cost: 0 });

    expect([both.kind, quota.kind]).toEqual(['rateLimited', 'quotaExceeded']);
    expect(after).toMatchObject({ count: 1, used: 4 });
  });

  it.each([
    ['the rate limit', { rateLimit: 5, quota: 9 }, 'rateLimited', 3, windowMs],
    ['the quota', { rateLimit: 9, quota: 6 }, 'quotaExceeded', 2, 0],
    ['neither', { rateLimit: 9, quota: 9 }, 'charged', 4, 0],
    ['a limit that was passed before it was lowered', { rateLimit: 1 }, 'rateLimited', 0, windowMs],
  ])(
    'charges as many of several requests as %s allows',
    async (_, limits, kind, charged, waitMs) => {
      const { redis, counts } = await openKnown(2);
      await counts.charge(atMs, { requests: 2 });

      const reply = await counts.charge(atMs, { ...limits, requests: 4 });

      const [count, used] = [2 + charged, 4 + charged];
      expect(reply).toEqual({ kind, nowMs: atMs, count, used, waitMs, charged });
      expect(await redis.get(counts.monthKey(atMs))).toBe(String(used));
      expect(await counts.charge(atMs, { cost: 0 })).toMatchObject({ count, used });
    },
  );

  it('charges several keys by one call, each by itself', async () => {
    const { redis, counts } = await openKnown(3);
    const other = new TimedCounts(redis, 'b');
    const late = new TimedCounts(redis, 'd');

    const replies = await TimedCounts.chargeTogether(atMs, [
      [counts, { rateLimit: 2, requests: 3 }],
      [late, { monthAtMs: nextMonthMs, known: 2 }],
      [other, { quota: 9, requests: 5 }],
      [counts, { cost: 0 }],
      [counts, { rateLimit: 3, requests: 3 }],
    ]);

    expect(replies.map(({ kind, charged }) => [kind, charged])).toEqual([
      ['rateLimited', 2],
      ['charged', 1],
      ['charged', 5],
      ['counted', 0],
      ['rateLimited', 1],
    ]);
    expect(await redis.get(counts.monthKey(atMs))).toBe('6');
    expect(await redis.get(other.monthKey(atMs))).toBe('5');
    expect(await redis.get(late.monthKey(nextMonthMs))).toBe('3');
  });

  it('goes on counting when the clock of Redis goes back by a second', async () => {
    const { counts } = await openKnown();
    await counts.charge(atMs, { rateLimit: 2 });
    await counts.charge(atMs, { rateLimit: 2 });

    const reply = await counts.charge(atMs - 1_000, { rateLimit: 2 });

    expect(reply).toMatchObject({ kind: 'rateLimited', nowMs: atMs, waitMs: windowMs });
  });

  it('goes on at the moment of the newest request, separately for each key', async () => {
    const { redis, counts } = await openKnown();
    const other = new TimedCounts(redis, 'b');
    await counts.charge(atMs);

    const replies = await TimedCounts.chargeTogether(atMs - 500, [
      [counts, {}],
      [other, {}],
    ]);

    expect(replies.map(({ nowMs }) => nowMs)).toEqual([atMs, atMs - 500]);
  });

  it('forgets the minute when the clock of Redis goes back by more, not the month', async () => {
    const { redis, counts } = await openKnown();
    await counts.charge(atMs);

    const reply = await counts.charge(atMs - 1_001, { rateLimit: 1 });

    expect(reply).toMatchObject({ kind: 'charged', count: 1, used: 2 });
    expect(await redis.llen(counts.minuteKey)).toBe(2);
  });

  it('counts a key like a new one after Redis has expired it', async () => {
    const { redis, counts } = await openKnown();
    for (let n = 0; n < 3; n += 1) await counts.charge(atMs);
    // This does what the end of its time to live does.
    await redis.del(counts.minuteKey);

    expect(await counts.charge(atMs + 100_000)).toMatchObject({ count: 1, used: 4 });
  });
});
