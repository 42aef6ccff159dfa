import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { hasRedis, openEmptyRedis, shareRedis } from '../../../test/support/open-redis.ts';
import { TimedCounts } from '../../../test/support/timed-counts.ts';

// Redis removes by its own clock what is over, so these moments are to come.
const atMs = Date.parse('2087-11-20T12:00:00.000Z');
const nextMonthMs = Date.parse('2087-12-01T00:00:00.000Z');
const windowMs = 60_000;

describe.skipIf(!hasRedis)('the scripts that count in Redis', () => {
  const server = shareRedis();

  async function open(): Promise<{ readonly redis: Redis; readonly counts: TimedCounts }> {
    const redis = await openEmptyRedis(server().url);
    return { redis, counts: new TimedCounts(redis, 'key_a') };
  }

  /** The same, known to Redis. */
  async function openKnown(used = 0): ReturnType<typeof open> {
    const opened = await open();
    await opened.counts.sync(atMs, { used });
    return opened;
  }

  it('keep at most 603 entries for a minute, whatever the rate', async () => {
    const { redis, counts } = await openKnown();
    let longest = 0;

    for (let nowMs = atMs; nowMs < atMs + 130_000; nowMs += 33) {
      await counts.charge(nowMs);
      if (nowMs % 10 === 0) longest = Math.max(longest, await redis.llen(counts.minuteKey));
    }

    expect(longest).toBeGreaterThan(590);
    expect(longest).toBeLessThanOrEqual(603);
    const [, sum = 0] = (await redis.lindex(counts.minuteKey, -1))?.split(':').map(Number) ?? [];
    const { count } = await counts.charge(atMs + 130_000, { isOnlyLooking: true });
    expect(sum).toBeGreaterThan(count);
    // Nothing that is younger than a minute is forgotten, and little that is older counts.
    expect(count).toBeGreaterThanOrEqual(Math.floor(windowMs / 33));
    expect(count).toBeLessThanOrEqual(Math.ceil((windowMs + 100) / 33));
  });

  it('let nothing stay for ever but the generation', async () => {
    const { redis, counts } = await openKnown();
    await counts.charge(atMs);

    const keys = await redis.keys('*');

    expect(keys.sort()).toEqual(['generation', counts.minuteKey, counts.monthKey(atMs)]);
    expect(await redis.pttl(counts.minuteKey)).toBeGreaterThan(windowMs);
    expect(await redis.pttl(counts.minuteKey)).toBeLessThanOrEqual(windowMs + 1_000);
    expect(await redis.call('PEXPIRETIME', counts.monthKey(atMs))).toBe(nextMonthMs + 86_400_000);
    expect(await redis.pttl('generation')).toBe(-1);
  });

  it('keep the months of a key apart', async () => {
    const { redis, counts } = await openKnown(7);
    await counts.charge(nextMonthMs - 1);
    await counts.sync(nextMonthMs);

    const reply = await counts.charge(nextMonthMs, { quota: 1 });

    expect(reply).toMatchObject({ kind: 'charged', count: 2, used: 1 });
    expect(await redis.get(counts.monthKey(atMs))).toBe('8');
    expect((await counts.charge(nextMonthMs, { quota: 1 })).kind).toBe('quotaExceeded');
  });

  it.each([
    ['before it begins', -1, 'otherMonth'],
    ['as it begins', 0, 'charged'],
    ['at its last moment', 2_678_400_000 - 1, 'charged'],
    ['as it ends', 2_678_400_000, 'otherMonth'],
  ])('charge for a month by the clock of Redis: %s', async (_, afterMs, kind) => {
    const { redis, counts } = await open();
    await counts.sync(nextMonthMs);

    const reply = await counts.charge(nextMonthMs + afterMs, { monthAtMs: nextMonthMs });

    expect(reply).toMatchObject({ kind, nowMs: nextMonthMs + afterMs });
    expect(await redis.get(counts.monthKey(nextMonthMs))).toBe(kind === 'charged' ? '1' : '0');
  });

  it.each([
    ['everything', async (redis: Redis) => redis.flushall()],
    ['the generation', async (redis: Redis) => redis.del('generation')],
    ['the month', async (redis: Redis, counts: TimedCounts) => redis.del(counts.monthKey(atMs))],
  ])('charge nothing when %s is gone, until they are told', async (_, forget) => {
    const { redis, counts } = await openKnown(5);
    await counts.charge(atMs);
    await forget(redis, counts);

    const before = await counts.charge(atMs, { quota: 10 });
    const lookedAt = await counts.charge(atMs, { isOnlyLooking: true });
    await counts.sync(atMs, { used: 6, recent: 1 });
    const after = await counts.charge(atMs, { quota: 10 });

    expect([before.kind, lookedAt.kind]).toEqual(['unsynced', 'unsynced']);
    expect(after).toMatchObject({ kind: 'charged', used: 7 });
  });

  it('charge nothing for whoever knows another generation', async () => {
    const { counts } = await openKnown();

    expect((await counts.charge(atMs, { generation: 'other' })).kind).toBe('unsynced');
    expect((await counts.charge(atMs, { generation: '' })).kind).toBe('unsynced');
  });

  it('look without counting', async () => {
    const { counts } = await openKnown(3);
    await counts.charge(atMs);

    for (let n = 0; n < 3; n += 1) {
      const look = { isOnlyLooking: true, rateLimit: 1, quota: 1 };
      expect(await counts.charge(atMs, look)).toMatchObject({ kind: 'counted', count: 1, used: 4 });
    }
  });

  it('refuse for the rate limit first, and charge nothing for what is refused', async () => {
    const { counts } = await openKnown(3);
    await counts.charge(atMs);

    const both = await counts.charge(atMs, { rateLimit: 1, quota: 4 });
    const quota = await counts.charge(atMs, { rateLimit: 2, quota: 4 });
    const after = await counts.charge(atMs, { isOnlyLooking: true });

    expect([both.kind, quota.kind]).toEqual(['rateLimited', 'quotaExceeded']);
    expect(after).toMatchObject({ count: 1, used: 4 });
  });

  it.each([
    ['the rate limit', { rateLimit: 5, quota: 9 }, 'rateLimited', 3, windowMs],
    ['the quota', { rateLimit: 9, quota: 6 }, 'quotaExceeded', 2, 0],
    ['neither', { rateLimit: 9, quota: 9 }, 'charged', 4, 0],
    ['a limit that was passed before it was lowered', { rateLimit: 1 }, 'rateLimited', 0, windowMs],
  ])(
    'charge as many of several requests as %s allows',
    async (_, limits, kind, charged, waitMs) => {
      const { redis, counts } = await openKnown(2);
      await counts.charge(atMs, { requests: 2 });

      const reply = await counts.charge(atMs, { ...limits, requests: 4 });

      const [count, used] = [2 + charged, 4 + charged];
      expect(reply).toEqual({ kind, nowMs: atMs, count, used, waitMs, charged });
      expect(await redis.get(counts.monthKey(atMs))).toBe(String(used));
      expect(await counts.charge(atMs, { isOnlyLooking: true })).toMatchObject({ count, used });
    },
  );

  it('charge several keys by one call, each by itself', async () => {
    const { redis, counts } = await openKnown(3);
    const other = new TimedCounts(redis, 'b');
    const unknown = new TimedCounts(redis, 'c');
    const late = new TimedCounts(redis, 'd');
    await other.sync(atMs);
    await late.sync(nextMonthMs);

    const replies = await TimedCounts.chargeTogether(atMs, [
      [counts, { rateLimit: 2, requests: 3 }],
      [unknown, {}],
      [late, { monthAtMs: nextMonthMs }],
      [other, { quota: 9, requests: 5 }],
      [counts, { isOnlyLooking: true }],
      [counts, { rateLimit: 3, requests: 3 }],
    ]);

    expect(replies.map(({ kind, charged }) => [kind, charged])).toEqual([
      ['rateLimited', 2],
      ['unsynced', 0],
      ['otherMonth', 0],
      ['charged', 5],
      ['counted', 0],
      ['rateLimited', 1],
    ]);
    expect(await redis.get(counts.monthKey(atMs))).toBe('6');
    expect(await redis.get(other.monthKey(atMs))).toBe('5');
  });

  it('begin a generation once, and answer it to everybody', async () => {
    const { counts } = await open();

    const answers = [
      await counts.sync(atMs, { generation: '', fresh: 'one' }),
      await counts.sync(atMs, { generation: '', fresh: 'two' }),
      await counts.sync(atMs, { generation: 'one', fresh: 'three' }),
    ];

    expect(answers).toEqual(['one', 'one', 'one']);
  });

  it('take what was untold from whoever knows the generation, else the whole minute', async () => {
    const { counts } = await openKnown();

    await counts.sync(atMs, { generation: 'first', untold: 2, recent: 50 });
    const told = await counts.charge(atMs, { isOnlyLooking: true });
    await counts.sync(atMs, { generation: 'lost', untold: 2, recent: 50 });
    const all = await counts.charge(atMs, { isOnlyLooking: true });

    expect([told.count, all.count]).toEqual([2, 52]);
  });

  it('raise a month, and never lower it', async () => {
    const { counts } = await openKnown(10);
    const read = async (): Promise<number> =>
      (await counts.charge(atMs, { isOnlyLooking: true })).used;

    await counts.sync(atMs, { used: 12 });
    const raised = await read();
    await counts.sync(atMs, { used: 3 });

    expect([raised, await read()]).toEqual([12, 12]);
  });

  it('go on counting when the clock of Redis goes back by a second', async () => {
    const { counts } = await openKnown();
    await counts.charge(atMs, { rateLimit: 2 });
    await counts.charge(atMs, { rateLimit: 2 });

    const reply = await counts.charge(atMs - 1_000, { rateLimit: 2 });

    expect(reply).toMatchObject({ kind: 'rateLimited', nowMs: atMs, waitMs: windowMs });
  });

  it('go on at the moment of the newest request only for the key that it is of', async () => {
    const { redis, counts } = await openKnown();
    const other = new TimedCounts(redis, 'b');
    await counts.charge(atMs);
    await other.sync(atMs);

    const replies = await TimedCounts.chargeTogether(atMs - 500, [
      [counts, {}],
      [other, {}],
    ]);

    expect(replies.map(({ nowMs }) => nowMs)).toEqual([atMs, atMs - 500]);
  });

  it('forget the minute when the clock of Redis goes back by more, not the month', async () => {
    const { redis, counts } = await openKnown();
    await counts.charge(atMs);

    const reply = await counts.charge(atMs - 1_001, { rateLimit: 1 });

    expect(reply).toMatchObject({ kind: 'charged', count: 1, used: 2 });
    expect(await redis.llen(counts.minuteKey)).toBe(2);
  });

  it('count a key that was forgotten after a pause like a new one', async () => {
    const { redis, counts } = await openKnown();
    for (let n = 0; n < 3; n += 1) await counts.charge(atMs);
    // As its time to live does.
    await redis.del(counts.minuteKey);

    expect(await counts.charge(atMs + 100_000)).toMatchObject({ count: 1, used: 4 });
  });
});
