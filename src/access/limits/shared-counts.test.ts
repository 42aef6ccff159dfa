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
import type { LimitState } from './limit-state.ts';
import { RedisSyncState } from './redis-sync-state.ts';
import { type CountRequest, SharedCounts } from './shared-counts.ts';
import { SlidingWindow } from './sliding-window.ts';

type Wanted = Partial<CountRequest['limits']> & Partial<Omit<CountRequest, 'state' | 'limits'>>;

describe.skipIf(!hasRedis)('SharedCounts', () => {
  const server = shareRedis();
  const month = monthAt(Date.now());

  /** A charge of one key; keys are `key_0` and so on. */
  type Charge = (keyId: string, wanted?: Wanted) => ReturnType<SharedCounts['charge']>;

  /** Counts that know Redis's generation; `calls` counts calls of the script from here on. */
  async function open(): Promise<{
    readonly client: Redis;
    readonly redis: RedisConnection;
    readonly charge: Charge;
    readonly stateOf: (keyId: string) => LimitState;
    readonly calls: () => Promise<number>;
    readonly lines: readonly { readonly msg: string }[];
  }> {
    const client = await openEmptyRedis(server().url);
    const { redis, lines } = await connectRedis(server().url);
    const counts = new SharedCounts({ redis, now: () => Date.now() });
    const states = new Map<string, LimitState>();
    const stateOf = (keyId: string): LimitState => {
      const state = states.get(keyId) ?? newState(keyId);
      states.set(keyId, state);
      return state;
    };
    const charge: Charge = async (keyId, wanted = {}) => {
      const { rateLimit = 'none', quota = 'none', cost = 1 } = wanted;
      const limits = { rateLimit, quota };
      return counts.charge({ state: stateOf(keyId), limits, cost });
    };
    await charge('key_0', { cost: 0 });
    await client.config('RESETSTAT');
    const calls = async () => countCalls(client, 'evalsha');
    return { client, redis, charge, stateOf, calls, lines };
  }

  const newState = (keyId: string): LimitState => ({
    keyId,
    month,
    recent: new SlidingWindow(),
    redis: new RedisSyncState(),
    usedInMonth: 0,
    admittedAlone: 0,
    epoch: 0,
    readAgainAtMs: Infinity,
  });

  it('charges all requests of one turn of the event loop by one call', async () => {
    const { charge, calls } = await open();
    const charges = Array.from({ length: 100 }, async (_, n) => charge(`key_${n % 2}`));

    const replies = await Promise.all(charges);

    expect(replies.map((reply) => reply?.kind)).toEqual(charges.map(() => 'charged'));
    expect(replies[0]).toMatchObject({ usedInMinute: 50, usedInMonth: 50, waitMs: 0 });
    expect(await calls()).toBe(1);
  });

  it('does not let a request of the next turn wait', async () => {
    const { charge, calls } = await open();

    const first = charge('key_0');
    await turn();
    await turn();
    const second = charge('key_0');

    expect(await Promise.all([first, second])).toHaveLength(2);
    expect(await calls()).toBe(2);
  });

  it('refuses the last requests', async () => {
    const { charge } = await open();
    const charges = Array.from({ length: 5 }, async () => charge('key_0', { rateLimit: 3 }));

    const replies = await Promise.all(charges);

    const refused = expect.objectContaining({ kind: 'rateLimited', waitMs: expect.any(Number) });
    const charged = expect.objectContaining({ kind: 'charged', waitMs: 0 });
    expect(replies).toEqual([charged, charged, charged, refused, refused]);
    expect(replies[4]?.waitMs).toBeGreaterThan(0);
  });

  it.each([
    ['rate limits', { rateLimit: 2 }, { rateLimit: 1 }, ['charged', 'rateLimited', 'charged']],
    ['quotas', { quota: 2 }, { quota: 1 }, ['charged', 'quotaExceeded', 'charged']],
    ['purposes', {}, { cost: 0 }, ['charged', 'counted', 'charged']],
    ['costs', { rateLimit: 4 }, { rateLimit: 4, cost: 3 }, ['charged', 'charged', 'rateLimited']],
  ] as const)('distinguishes %s of one key in one turn', async (_, one, other, kinds) => {
    const { charge } = await open();

    const replies = await Promise.all([
      charge('key_0', one),
      charge('key_0', other),
      charge('key_0', one),
    ]);

    expect(replies.map((reply) => reply?.kind)).toEqual(kinds);
  });

  it('takes no more than 250 keys by one call', async () => {
    const { charge, calls } = await open();

    const charges = Array.from({ length: 501 }, async (_, n) => charge(`key_${n}`));
    const replies = await Promise.all(charges);

    expect(replies.filter((reply) => reply?.kind === 'charged')).toHaveLength(501);
    expect(await calls()).toBe(3);
  });

  it('reports requests to Redis once that were admitted without it', async () => {
    const { charge, stateOf } = await open();
    stateOf('key_0').redis.addUnreported(Date.now(), 4);

    const replies = [await charge('key_0'), await charge('key_0')];

    expect(replies.map((reply) => reply?.usedInMinute)).toEqual([5, 6]);
  });

  it('raises the month to the count of this process', async () => {
    const { charge, stateOf } = await open();
    stateOf('key_0').usedInMonth = 7;

    expect(await charge('key_0', { quota: 7 })).toMatchObject({
      kind: 'quotaExceeded',
      usedInMonth: 7,
    });
  });

  it('reports the counters to a Redis that lost its data before Redis decides again', async () => {
    const { client, charge, stateOf, lines } = await open();
    for (const keyId of ['key_0', 'key_1']) {
      const state = stateOf(keyId);
      const reply = await charge(keyId, { rateLimit: 3 });
      state.recent.add(Date.now(), 1);
      state.usedInMonth = reply?.usedInMonth ?? 0;
      await client.flushall();
      const more = [];
      for (let n = 0; n < 4; n += 1) more.push(await charge(keyId, { rateLimit: 3 }));

      expect(more.map((one) => one?.kind)).toEqual([
        undefined,
        'charged',
        'charged',
        'rateLimited',
      ]);
      expect(more[2]).toMatchObject({ usedInMinute: 3, usedInMonth: 3 });
    }
    const lost = { msg: 'redis lost its data; restoring counters' };
    expect(lines).toMatchObject([lost, lost]);
  });

  it('replies undefined if Redis does not answer, which is a failure for each request', async () => {
    const { client, redis, charge, stateOf } = await open();
    await client.set('vatfx:minute:key_1', 'no list');
    stateOf('key_0').redis.addUnreported(Date.now(), 4);

    const replies = await Promise.all([charge('key_0'), charge('key_1'), charge('key_1')]);

    expect(replies).toEqual([undefined, undefined, undefined]);
    expect(redis.isAway).toBe(true);
    // The next charge reports the requests of the failed one.
    const { redis: unreported, recent } = stateOf('key_0');
    const generation = (await client.get('vatfx:generation')) ?? '';
    expect(unreported.takeReport(generation, recent, Date.now())).toBe(4);
  });
});
