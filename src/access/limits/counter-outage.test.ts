import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FaultProxy } from '../../../test/support/fault-proxy.ts';
import { limitedKey } from '../../../test/support/open-counter.ts';
import { hasRedis, openRedis, startRedis } from '../../../test/support/open-redis.ts';
import { addUp, Replica } from '../../../test/support/open-replica.ts';
import type { RedisServer } from '../../../test/support/redis-server.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { temporaryDatabaseUrl, temporaryFolder } from '../../../test/support/temporary-database.ts';
import { type Clock, systemClock } from '../../platform/time/time.ts';
import type { LimitedKey } from './key-limits.ts';

const keyWith = (own: Partial<LimitedKey>): LimitedKey =>
  limitedKey({ id: `key_${randomUUID()}`, ...own });

async function chargeEach(replicas: readonly Replica[], key: LimitedKey, times: number) {
  return addUp(await Promise.all(replicas.map(async (replica) => replica.charge(key, times)))).ok;
}

const isAway = ({ redis }: Replica): boolean => redis?.isAway === true;

/** Waits until every replica knows that Redis is away; charges a key of its own for it. */
async function untilAway(replicas: readonly Replica[]): Promise<void> {
  const probe = keyWith({ rateLimit: 1_000_000 });
  for (const replica of replicas) {
    await expect.poll(async () => (await replica.charge(probe), isAway(replica))).toBe(true);
  }
}

async function untilBack(replicas: readonly Replica[]): Promise<void> {
  await expect.poll(() => replicas.some(isAway)).toBe(false);
  for (const { redis } of replicas) {
    await expect.poll(async () => redis?.run(async (client) => client.ping())).toBe('PONG');
  }
}

async function untilWritten({ db }: Replica, requests: number): Promise<void> {
  await expect
    .poll(async () => {
      const rows = await db.selectFrom('key_use').selectAll().execute();
      return rows.reduce((sum, row) => sum + row.requests, 0);
    })
    .toBe(requests);
}

/** Three replicas that write their use, on one database, with the Redis that is to fail. */
async function open({
  options = [],
  isWriting = true,
  clock = systemClock,
}: { options?: readonly string[]; isWriting?: boolean; clock?: Clock } = {}) {
  const server = await startRedis(options);
  const link = await FaultProxy.open(server.port);
  const where = {
    databaseUrl: temporaryDatabaseUrl(),
    redisUrl: link.urlOf(server.url),
    countReplicas: () => 3,
    clock,
  };
  const one = await Replica.open(where);
  const replicas = [one, await Replica.open(where), await Replica.open(where)] as const;
  if (isWriting) for (const replica of replicas) await replica.startFlusher();
  return { server, link, one, replicas };
}

const outages = [
  {
    how: 'killed, and back without its data',
    begin: async (server: RedisServer) => server.kill(),
    end: async (server: RedisServer) => server.restart(),
  },
  {
    how: 'stopped (SIGSTOP)',
    begin: async (server: RedisServer) => server.pause(),
    end: async (server: RedisServer) => server.resume(),
  },
  {
    how: 'slow (2 s)',
    begin: async (_: RedisServer, link: FaultProxy) => link.slowDown(2_000),
    end: async (_: RedisServer, link: FaultProxy) => link.heal(),
  },
] as const;

describe.skipIf(!hasRedis)('replicas while Redis is away (contract C26, R21)', () => {
  it.each(outages)(
    'give shares of what is left, and count together again with every request; Redis $how',
    async ({ begin, end }) => {
      const { server, link, replicas } = await open();
      const [rate, quota] = [keyWith({ rateLimit: 60 }), keyWith({ quota: 60 })];
      const before = [await chargeEach(replicas, rate, 5), await chargeEach(replicas, quota, 5)];
      for (const replica of replicas) await replica.used(quota);

      await begin(server, link);
      await untilAway(replicas);
      const alone = [await chargeEach(replicas, rate, 10), await chargeEach(replicas, quota, 10)];
      await end(server, link);
      await untilBack(replicas);
      // Until all have written, each keeps free what the others may have charged alone.
      let rest = await chargeEach(replicas, quota, 50);
      expect(rest).toBeLessThanOrEqual(15);
      expect(await chargeEach(replicas, rate, 1)).toBe(3);
      await expect.poll(async () => (rest += await chargeEach(replicas, quota, 50))).toBe(15);
      await expect
        .poll(async () => Promise.all(replicas.map(async (one) => (await one.used(quota))[1])))
        .toEqual(replicas.map(() => 60));

      expect([before, alone]).toEqual([
        [15, 15],
        [30, 30],
      ]);
      // Redis got the highest of their estimates: each counted its 10 for all three.
      const after = 48 + (await chargeEach(replicas, rate, 50));
      expect(after).toBeGreaterThanOrEqual(60);
      expect(after).toBeLessThanOrEqual(66);
    },
  );

  it('read the month when an outage begins: a quota that others used up is used up', async () => {
    const clock = new SettableClock('2026-11-20T07:00:00.000Z');
    const { server, replicas } = await open({ clock });
    const [one, other, stale] = replicas;
    const key = keyWith({ quota: 30 });
    await stale.charge(key);
    await chargeEach([one, other], key, 50);
    await untilWritten(one, 30);
    clock.advance(2_000);

    await server.kill();
    await untilAway(replicas);

    expect((await stale.charge(key, 50)).ok).toBe(0);
  });

  it('refuse no request below a limit, and count none twice, if one connection is cut', async () => {
    const { link, one } = await open();
    const key = keyWith({ rateLimit: 1_000, quota: 30 });
    await one.charge(key, 20);

    link.cut();
    const cut = await one.charge(key, 2);
    await untilBack([one]);

    expect([cut.ok, isAway(one)]).toEqual([2, false]);
    expect((await one.used(key))[1]).toBe(22);
  });
});

describe.skipIf(!hasRedis)('replicas if Redis loses its data (contract C26, R21)', () => {
  it('restore window and month from what each of them knows', async () => {
    const { server, one, replicas } = await open({ isWriting: false });
    const key = keyWith({ rateLimit: 25, quota: 20 });
    const [, other] = replicas;
    await one.charge(key, 8);
    await other.charge(key, 7);

    await openRedis(server.url).flushall();

    expect((await other.charge(key, 10)).ok).toBe(5);
    expect(await one.used(key)).toEqual([20, 20]);
  });

  it('read the month again if they knew less than the others had charged', async () => {
    const clock = new SettableClock('2026-11-20T07:00:00.000Z');
    const { server, one, replicas } = await open({ clock });
    const key = keyWith({ quota: 20 });
    const [, other] = replicas;
    await one.charge(key);
    await other.charge(key, 14);
    await untilWritten(one, 15);
    clock.advance(2_000);

    const client = openRedis(server.url);
    for (const name of await client.keys('vatfx:*')) await client.del(name);

    expect((await one.charge(key, 10)).ok).toBe(5);
  });

  it('do not go back to an old copy from which Redis was started', async () => {
    const { server, one } = await open({ options: ['--dir', temporaryFolder()] });
    const key = keyWith({ quota: 20, rateLimit: 20 });
    await one.charge(key, 5);
    await openRedis(server.url).save();
    await one.charge(key, 15);

    await server.restart();
    await untilBack([one]);

    expect((await one.charge(key, 10)).ok).toBe(0);
  });
});
