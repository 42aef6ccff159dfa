import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { limitedKey } from '../../../test/support/open-limiter.ts';
import { hasRedis, openRedis, startRedis } from '../../../test/support/open-redis.ts';
import { Replica } from '../../../test/support/open-replica.ts';
import type { RedisServer } from '../../../test/support/redis-server.ts';
import { temporaryDatabaseUrl, temporaryFolder } from '../../../test/support/temporary-database.ts';
import type { LimitedKey } from './key-limits.ts';

describe.skipIf(!hasRedis)('SharedLimiter if Redis loses its data (contract C26, R21)', () => {
  /** Two replicas on a Redis and a database of their own. */
  async function open(
    options: readonly string[] = [],
  ): Promise<{ readonly server: RedisServer; readonly one: Replica; readonly other: Replica }> {
    const server = await startRedis(options);
    const where = { databaseUrl: temporaryDatabaseUrl(), redisUrl: server.url, processes: 2 };
    return { server, one: await Replica.open(where), other: await Replica.open(where) };
  }

  const keyWith = (own: Partial<LimitedKey>): LimitedKey =>
    limitedKey({ id: `key_${randomUUID()}`, ...own });

  async function untilAnswered(...replicas: readonly Replica[]): Promise<void> {
    for (const { redis } of replicas) {
      await expect.poll(async () => redis.run(async (client) => client.ping())).toBe('PONG');
    }
  }

  /** Waits until each replica has reported its use of a key, and the replicas count together. */
  async function untilTogether(key: LimitedKey, ...replicas: readonly Replica[]): Promise<void> {
    for (const replica of replicas) await replica.used(key);
    await expect.poll(() => replicas.every(({ redis }) => !redis.isSettling)).toBe(true);
    const probe = keyWith({ rateLimit: 1_000_000 });
    let charged = 0;
    await expect
      .poll(async () => {
        for (const replica of replicas) charged += (await replica.charge(probe)).ok;
        const [inMinute] = (await replicas.at(-1)?.used(probe)) ?? [];
        return inMinute === charged;
      })
      .toBe(true);
  }

  it('restores the minute from every replica', async () => {
    const { server, one, other } = await open();
    const key = keyWith({ rateLimit: 20 });
    await one.charge(key, 8);
    await other.charge(key, 7);

    await openRedis(server.url).flushall();
    await untilTogether(key, one, other);

    expect((await one.charge(key, 10)).ok).toBe(5);
  });

  it('restores the month from the database', async () => {
    const { server, one, other } = await open();
    const key = keyWith({ quota: 20 });
    await one.charge(key, 8);
    await other.charge(key, 7);
    await one.write();
    await other.write();

    await openRedis(server.url).flushall();
    await untilTogether(key, one, other);

    expect((await one.charge(key, 10)).ok).toBe(5);
  });

  it('restores the month from the last answer of Redis, though others have not written their use', async () => {
    const { server, one, other } = await open();
    const key = keyWith({ quota: 20 });
    await one.charge(key, 8);
    await other.charge(key, 7);

    await openRedis(server.url).flushall();
    await untilTogether(key, one, other);

    expect((await other.charge(key, 10)).ok).toBe(5);
  });

  it('raises the month when other replicas have written their use', async () => {
    const { server, one, other } = await open();
    const key = keyWith({ quota: 100 });
    await one.charge(key, 8);
    await other.charge(key, 7);

    await openRedis(server.url).flushall();
    // This replica knows its own 8 requests, and not the 7 of the other.
    await one.charge(key);
    await other.write();

    await expect.poll(async () => (await one.used(key))[1]).toBe(16);
  });

  it('restores everything if all keys are deleted', async () => {
    const { server, one, other } = await open();
    const key = keyWith({ rateLimit: 20, quota: 20 });
    await one.charge(key, 8);
    const client = openRedis(server.url);
    for (const name of await client.keys('vatfx:*')) await client.del(name);
    await untilTogether(key, one, other);

    expect((await one.charge(key, 20)).ok).toBe(12);
  });

  it('restores a month that is deleted, and counts the minute once', async () => {
    const { server, one } = await open();
    const key = keyWith({ rateLimit: 20, quota: 20 });
    await one.charge(key, 8);
    const client = openRedis(server.url);
    for (const name of await client.keys('vatfx:month:*')) await client.del(name);

    await one.charge(key);

    expect(await one.used(key)).toEqual([9, 9]);
  });

  it('does not go back to the month of an old copy from which Redis was started', async () => {
    const { server, one } = await open(['--dir', temporaryFolder()]);
    const key = keyWith({ quota: 20 });
    await one.charge(key, 5);
    await openRedis(server.url).save();
    await one.charge(key, 15);
    await one.write();

    await server.restart();
    await untilAnswered(one);

    expect((await one.charge(key, 10)).ok).toBe(0);
  });

  it('counts together again after a failover to an empty Redis', async () => {
    const { server, one, other } = await open();
    const key = keyWith({ rateLimit: 20, quota: 20 });
    await one.startFlusher();
    await other.startFlusher();
    await one.charge(key, 4);
    await other.charge(key, 4);

    await server.restart();
    await untilAnswered(one, other);
    await one.charge(key);
    await other.charge(key);
    await untilTogether(key, one, other);

    await expect.poll(async () => one.used(key)).toEqual([10, 10]);
    expect((await other.charge(key, 20)).ok).toBe(10);
  });
});
