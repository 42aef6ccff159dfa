import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { dailyUse, limitedKey } from '../../../test/support/open-counter.ts';
import {
  hasRedis,
  openEmptyRedis,
  openRedis,
  shareRedis,
} from '../../../test/support/open-redis.ts';
import { addUp, Replica } from '../../../test/support/open-replica.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { temporaryDatabaseUrl } from '../../../test/support/temporary-database.ts';
import { quotaOnly, rateOnly } from '../../platform/http/request-cost.ts';
import { type Clock, formatInstant, systemClock } from '../../platform/time/time.ts';
import { writeUse } from '../usage/store.ts';
import type { LimitedKey } from './key-limits.ts';

const keyWith = (own: Partial<LimitedKey>): LimitedKey =>
  limitedKey({ id: `key_${randomUUID()}`, ...own });
const today = formatInstant(Date.now()).slice(0, 10);
const tally = (ok: number, refused = {}) => ({
  ok,
  rateLimited: 0,
  quotaExceeded: 0,
  ...refused,
});

describe.skipIf(!hasRedis)('replicas that count together in Redis (contract C26, R21)', () => {
  const server = shareRedis();

  /** Replicas on one empty Redis and one database. */
  async function open(
    count: number,
    clock: Clock = systemClock,
  ): Promise<readonly [Replica, Replica, ...Replica[]]> {
    await openEmptyRedis(server().url);
    const where = { databaseUrl: temporaryDatabaseUrl(), redisUrl: server().url, clock };
    const [one, other] = [await Replica.open(where), await Replica.open(where)];
    const further = Array.from({ length: count - 2 }, async () => Replica.open(where));
    return [one, other, ...(await Promise.all(further))];
  }

  it.each([
    ['rate limit', { rateLimit: 40 }, 'rateLimited'],
    ['quota', { quota: 40 }, 'quotaExceeded'],
    ['lower of both', { rateLimit: 70, quota: 40 }, 'quotaExceeded'],
    ['rate limit, reported first', { rateLimit: 40, quota: 40 }, 'rateLimited'],
  ] as const)('admit exactly the %s, from the first request on', async (_, own, refusal) => {
    const replicas = await open(3);
    const key = keyWith(own);

    const tallies = await Promise.all(replicas.map(async (replica) => replica.charge(key, 100)));
    for (const replica of replicas) await replica.write();

    const rows = await replicas[0].db.selectFrom('key_use').selectAll().execute();
    expect(addUp(tallies)).toEqual(tally(40, { [refusal]: 260 }));
    expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(40);
    for (const replica of replicas) expect(await replica.used(key)).toEqual([40, 40]);
  });

  it('judge the costs for both limits as one step, all or nothing (contract C3, rule K10)', async () => {
    const [one, other] = await open(2);
    const key = keyWith({ rateLimit: 6, quota: 5 });

    expect(await one.charge(key, 1, 4)).toEqual(tally(1));
    expect(await other.charge(key, 1, 4)).toEqual(tally(0, { rateLimited: 1 }));
    expect(await one.charge(key, 1, 2)).toEqual(tally(0, { quotaExceeded: 1 }));
    expect(await other.charge(key, 3, rateOnly)).toEqual(tally(2, { rateLimited: 1 }));
    expect(await one.charge(key, 2, quotaOnly(1))).toEqual(tally(1, { quotaExceeded: 1 }));
    expect(await other.used(key)).toEqual([6, 5]);
  });

  it('begin a window with the first request in it, at whichever replica, and tell when it ends', async () => {
    const [one, other] = await open(2);
    const key = keyWith({ rateLimit: 2 });
    await one.charge(key, 2);
    const client = openRedis(server().url);
    await client.pexpire(`vatfx:window:${key.id}`, 1_500);

    expect(await other.access.counter.charge(key)).toMatchObject({
      kind: 'rateLimited',
      retryAfterSeconds: 2,
    });
    await expect.poll(async () => other.charge(key)).toEqual(tally(1));
    const standing = await other.describe(key);
    expect(standing.usedInWindow).toBe(1);
    expect(standing.windowEndsMs - Date.now()).toBeGreaterThan(50_000);
    expect(standing.windowEndsMs - Date.now()).toBeLessThanOrEqual(60_000);
  });

  it('need no Redis for a key without limits, and report its month as far as it is written', async () => {
    const [one, other] = await open(2);
    const key = keyWith({});
    await one.startFlusher();

    expect(await one.charge(key, 1_000)).toEqual(tally(1_000));
    expect(await openRedis(server().url).keys('vatfx:*')).toEqual([]);
    await expect.poll(async () => (await other.used(key))[1]).toBe(1_000);
    await one.charge(key, 5);
    await expect.poll(async () => (await other.used(key))[1]).toBe(1_005);
  });

  it('leave the counts of version 0.2 in the same Redis as they are, and add its use within a minute', async () => {
    const clock = new SettableClock(formatInstant(Date.now()));
    const [one] = await open(2, clock);
    const key = keyWith({ rateLimit: 2, quota: 5 });
    const client = openRedis(server().url);
    await client.rpush(`vatfx:minute:${key.id}`, '0:0', `${Date.now()}:2`);
    await client.set(`vatfx:month:${key.id}:${today.slice(0, 7)}`, 4);

    expect(await one.charge(key, 3)).toEqual(tally(2, { rateLimited: 1 }));
    expect(await client.lrange(`vatfx:minute:${key.id}`, 0, 0)).toEqual(['0:0']);
    expect(await client.get(`vatfx:month:${key.id}:${today.slice(0, 7)}`)).toBe('4');
    await writeUse(one.db, [dailyUse(today, 2, key.id)]);
    clock.advance(60_000);
    expect(await one.charge({ ...key, rateLimit: 'none' }, 3)).toEqual(
      tally(1, { quotaExceeded: 2 }),
    );
  });
});
