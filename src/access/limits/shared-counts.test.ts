import { setImmediate as turn } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import {
  connectRedis,
  countCalls,
  hasRedis,
  openEmptyRedis,
  shareRedis,
} from '../../../test/support/open-redis.ts';
import { monthAt } from '../../../test/support/timed-counts.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { type CountRequest, SharedCounts } from './shared-counts.ts';

describe.skipIf(!hasRedis)('SharedCounts', () => {
  const server = shareRedis();
  const month = monthAt(Date.now());

  /** Counts that know so many keys, `key_0` and so on; nothing was called yet as far as `calls` says. */
  async function open(keys = 2): Promise<{
    readonly client: Redis;
    readonly redis: RedisConnection;
    readonly counts: SharedCounts;
    readonly ask: (keyId: string, own?: Partial<CountRequest>) => CountRequest;
    readonly calls: () => Promise<number>;
  }> {
    const client = await openEmptyRedis(server().url);
    const { redis } = await connectRedis(server().url);
    const counts = new SharedCounts(redis);
    let generation = '';
    for (let n = 0; n < keys; n += 1) {
      const known = { keyId: `key_${n}`, month, untold: 0, recent: 0, usedInMonth: 0 };
      generation = (await counts.sync({ ...known, generation })) ?? '';
    }
    const ask = (keyId: string, own: Partial<CountRequest> = {}): CountRequest => ({
      keyId,
      month,
      rateLimit: 'none',
      quota: 'none',
      generation,
      cost: 1,
      isOnlyLooking: false,
      ...own,
    });
    // Redis knows the script from here on.
    await counts.charge(ask('key_0', { isOnlyLooking: true }));
    await client.config('RESETSTAT');
    return { client, redis, counts, ask, calls: async () => countCalls(client, 'evalsha') };
  }

  it('charges what comes in one turn of the event loop by one call', async () => {
    const { counts, ask, calls } = await open();
    const charges = Array.from({ length: 100 }, async (_, n) => counts.charge(ask(`key_${n % 2}`)));

    const replies = await Promise.all(charges);

    expect(replies.map((reply) => reply?.kind)).toEqual(charges.map(() => 'charged'));
    expect(replies[0]).toMatchObject({ usedInMinute: 50, usedInMonth: 50, waitMs: 0 });
    expect(await calls()).toBe(1);
  });

  it('does not let what comes in another turn wait', async () => {
    const { counts, ask, calls } = await open();

    const first = counts.charge(ask('key_0'));
    await turn();
    await turn();
    const second = counts.charge(ask('key_0'));

    expect(await Promise.all([first, second])).toHaveLength(2);
    expect(await calls()).toBe(2);
  });

  it('refuses those that came last', async () => {
    const { counts, ask } = await open();
    const wanted = ask('key_0', { rateLimit: 3 });

    const replies = await Promise.all(Array.from({ length: 5 }, async () => counts.charge(wanted)));

    const refused = expect.objectContaining({ kind: 'rateLimited', waitMs: expect.any(Number) });
    const charged = expect.objectContaining({ kind: 'charged', waitMs: 0 });
    expect(replies).toEqual([charged, charged, charged, refused, refused]);
    expect(replies[4]?.waitMs).toBeGreaterThan(0);
  });

  it.each([
    ['rate limits', { rateLimit: 2 }, { rateLimit: 1 }, ['charged', 'rateLimited', 'charged']],
    ['quotas', { quota: 2 }, { quota: 1 }, ['charged', 'quotaExceeded', 'charged']],
    ['generations', {}, { generation: 'other' }, ['charged', 'unsynced', 'charged']],
    ['months', {}, { month: { ...monthAt(0) } }, ['charged', 'otherMonth', 'charged']],
    ['purposes', {}, { isOnlyLooking: true }, ['charged', 'counted', 'charged']],
    ['costs', { rateLimit: 4 }, { rateLimit: 4, cost: 3 }, ['charged', 'charged', 'rateLimited']],
  ] as const)('goes by other %s of the same key in the same turn', async (_, one, other, kinds) => {
    const { counts, ask } = await open();

    const replies = await Promise.all([
      counts.charge(ask('key_0', one)),
      counts.charge(ask('key_0', other)),
      counts.charge(ask('key_0', one)),
    ]);

    expect(replies.map((reply) => reply?.kind)).toEqual(kinds);
  });

  it('takes no more than 250 keys by one call', async () => {
    const { counts, ask, calls } = await open(501);

    const charges = Array.from({ length: 501 }, async (_, n) => counts.charge(ask(`key_${n}`)));
    const replies = await Promise.all(charges);

    expect(replies.filter((reply) => reply?.kind === 'charged')).toHaveLength(501);
    expect(await calls()).toBe(3);
  });

  it('gives nobody an answer where Redis gives none, which is a failure for each', async () => {
    const { client, redis, counts, ask } = await open();
    await client.set('vatfx:minute:key_1', 'no list');

    const replies = await Promise.all([
      counts.charge(ask('key_0')),
      counts.charge(ask('key_1')),
      counts.charge(ask('key_1')),
    ]);

    expect(replies).toEqual([undefined, undefined, undefined]);
    expect(redis.isAway).toBe(true);
  });
});
