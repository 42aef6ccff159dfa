import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { limitedKey } from '../../../test/support/open-limiter.ts';
import { hasRedis, startRedis } from '../../../test/support/open-redis.ts';
import { addUp, Replica, type Tally } from '../../../test/support/open-replica.ts';
import type { RedisServer } from '../../../test/support/redis-server.ts';
import { FaultProxy } from '../../../test/support/fault-proxy.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { temporaryDatabaseUrl } from '../../../test/support/temporary-database.ts';
import { type Clock, systemClock } from '../../platform/time.ts';
import type { LimitedKey } from './key-limits.ts';

const processes = 3;

describe.skipIf(!hasRedis)('SharedLimiter without Redis (contract C26, R21)', () => {
  /** Three replicas on a Redis and a database of their own. */
  async function open({ clock }: { readonly clock?: Clock } = {}): Promise<{
    readonly server: RedisServer;
    readonly link: FaultProxy;
    readonly replicas: readonly [Replica, Replica, Replica];
  }> {
    const server = await startRedis();
    const link = await FaultProxy.open(server.port);
    const where = {
      databaseUrl: temporaryDatabaseUrl(),
      redisUrl: link.urlOf(server.url),
      processes,
      clock: clock ?? systemClock,
    };
    const replicas = [
      await Replica.open(where),
      await Replica.open(where),
      await Replica.open(where),
    ] as const;
    return { server, link, replicas };
  }

  const keyWith = (own: Partial<LimitedKey>): LimitedKey =>
    limitedKey({ id: `key_${randomUUID()}`, ...own });

  async function chargeEach(
    replicas: readonly Replica[],
    key: LimitedKey,
    times: number,
  ): Promise<Tally> {
    return addUp(await Promise.all(replicas.map(async (replica) => replica.charge(key, times))));
  }

  /** Waits until every replica knows that Redis is away; charges a key of its own for it. */
  async function untilAway(replicas: readonly Replica[]): Promise<void> {
    const probe = keyWith({ rateLimit: 1_000_000 });
    for (const replica of replicas) {
      await expect
        .poll(async () => (await replica.charge(probe), replica.redis.isAway), { interval: 1 })
        .toBe(true);
    }
  }

  async function untilBack(replicas: readonly Replica[]): Promise<void> {
    await expect.poll(() => replicas.every(({ redis }) => !redis.isAway)).toBe(true);
  }

  it.each([
    ['rate limit', { rateLimit: 30 }, { ok: 30, rateLimited: 120, quotaExceeded: 0 }],
    ['quota', { quota: 30 }, { ok: 30, rateLimited: 0, quotaExceeded: 120 }],
    // A share is one request at least.
    ['rate limit of 1', { rateLimit: 1 }, { ok: 3, rateLimited: 147, quotaExceeded: 0 }],
    ['missing limit', {}, { ok: 150, rateLimited: 0, quotaExceeded: 0 }],
  ])('admits a share of the %s at each replica', async (_, own, expected) => {
    const { server, replicas } = await open();
    await server.kill();
    await untilAway(replicas);

    expect(await chargeEach(replicas, keyWith(own), 50)).toEqual(expected);
  });

  it('admits a share of the next quota when a month begins during an outage', async () => {
    const clock = new SettableClock('2026-11-30T23:59:59.000Z');
    const { server, replicas } = await open({ clock });
    const [one] = replicas;
    const key = keyWith({ quota: 30 });
    await server.kill();
    await untilAway(replicas);
    const before = await one.charge(key, 50);

    clock.set('2026-12-01T00:00:00.000Z');
    const after = await one.charge(key, 50);

    expect([before.ok, after.ok]).toEqual([10, 10]);
  });

  it.each([
    ['rate limit', { rateLimit: 30 }],
    ['quota', { quota: 30 }],
  ])('keeps the use of the %s from before the outage', async (_, own) => {
    const { server, replicas } = await open();
    const key = keyWith(own);
    const before = await chargeEach(replicas, key, 4);
    for (const replica of replicas) await replica.write();

    await server.kill();
    await untilAway(replicas);
    const after = await chargeEach(replicas, key, 50);

    expect([before.ok, after.ok]).toEqual([12, 18]);
  });

  it('refuses a quota that other replicas have used up meanwhile', async () => {
    const { server, replicas } = await open();
    const [one, other, stale] = replicas;
    const key = keyWith({ quota: 30 });
    await stale.charge(key);
    await chargeEach([one, other], key, 50);
    for (const replica of replicas) await replica.write();

    await server.kill();
    await untilAway(replicas);

    expect((await stale.charge(key, 50)).ok).toBe(0);
  });

  it.each([
    ['rate limit', { rateLimit: 60 }],
    ['quota', { quota: 60 }],
  ])('admits at most 2 × the %s after an uneven load', async (_, own) => {
    const { server, replicas } = await open();
    const [one] = replicas;
    const key = keyWith(own);
    const before = await one.charge(key, 50);

    await server.kill();
    await untilAway(replicas);
    const alone = await chargeEach(replicas, key, 90);
    await server.restart();
    await untilBack(replicas);
    const together = await chargeEach(replicas, key, 90);

    expect(before.ok).toBe(50);
    expect(before.ok + alone.ok + together.ok).toBeGreaterThanOrEqual(60);
    expect(before.ok + alone.ok + together.ok).toBeLessThanOrEqual(120);
  });

  it.each([
    ['held', async (server: RedisServer) => server.pause(), async (s: RedisServer) => s.resume()],
    ['empty', async (server: RedisServer) => server.kill(), async (s: RedisServer) => s.restart()],
  ])('counts together again after Redis was away (%s), with every request', async (...how) => {
    const [, begin, end] = how;
    const { server, replicas } = await open();
    const key = keyWith({ rateLimit: 60, quota: 1_000 });
    for (const replica of replicas) await replica.startFlusher();
    const before = await chargeEach(replicas, key, 5);
    await begin(server);
    await untilAway(replicas);
    const alone = await chargeEach(replicas, key, 10);

    await end(server);
    await untilBack(replicas);
    const together = await chargeEach(replicas, key, 1);

    expect([before.ok, alone.ok, together.ok]).toEqual([15, 30, 3]);
    await expect
      .poll(async () => Promise.all(replicas.map(async (replica) => replica.used(key))))
      .toEqual(replicas.map(() => [48, 48]));
    expect((await chargeEach(replicas, key, 20)).ok).toBe(12);
  });

  it('admits a share of a quota once after an outage, although the use is queried meanwhile', async () => {
    const { server, replicas } = await open();
    const [one] = replicas;
    const key = keyWith({ quota: 30 });
    await server.kill();
    await untilAway(replicas);
    const alone = await one.charge(key, 50);
    await server.restart();
    await untilBack(replicas);

    await one.describe(key);
    const together = await one.charge(key, 50);

    expect(one.redis.isSettling).toBe(true);
    expect([alone.ok, together.ok]).toEqual([10, 0]);
  });

  it('counts nothing twice when a connection is cut', async () => {
    const { link, replicas } = await open();
    const [one] = replicas;
    const key = keyWith({ rateLimit: 1_000, quota: 1_000 });
    await one.charge(key, 10);

    link.cut();
    await one.charge(key);
    await expect.poll(async () => one.redis.run(async (client) => client.ping())).toBe('PONG');
    const standing = await one.describe(key);
    await one.write();
    const rows = await one.db.selectFrom('key_use').selectAll().execute();

    const charged = rows.reduce((sum, { requests }) => sum + requests, 0);
    expect([standing.usedInMinute, standing.usedInMonth]).toEqual([charged, charged]);
  });

  it('refuses no request below the limit because one command failed', async () => {
    const { link, replicas } = await open();
    const [one] = replicas;
    const key = keyWith({ rateLimit: 30 });
    await one.charge(key, 20);

    link.cut();
    const tally = await one.charge(key, 2);

    expect(one.redis.isAway).toBe(false);
    expect(tally.ok).toBe(2);
  });

  it('counts requests that a slow Redis answered too late at most once more', async () => {
    const { link, replicas } = await open();
    const [one] = replicas;
    const key = keyWith({ rateLimit: 1_000, quota: 1_000 });
    await one.startFlusher();
    await one.charge(key, 10);

    link.slowDown(2_000);
    const late = await one.charge(key, 20);
    await untilAway([one]);
    const alone = await one.charge(key, 30);
    link.heal();
    await untilBack([one]);
    await one.charge(key, 5);

    const [inMinute, inMonth] = await one.used(key);
    expect([late.ok, alone.ok]).toEqual([20, 30]);
    expect(inMonth).toBe(65);
    expect(inMinute).toBeGreaterThanOrEqual(65);
    expect(inMinute).toBeLessThanOrEqual(65 + 20);
  });

  it('counts each request once also while the database is away', async () => {
    const { server, replicas } = await open();
    const [one] = replicas;
    const key = keyWith({ quota: 100 });
    await one.charge(key, 4);
    await server.kill();
    await untilAway([one]);
    await sql`alter table key_use rename to gone`.execute(one.db);

    const alone = await one.charge(key, 10);
    await server.restart();
    await untilBack([one]);
    const together = await one.charge(key, 2);

    expect([alone.ok, together.ok]).toEqual([10, 2]);
    expect((await one.describe(key)).usedInMonth).toBe(16);
  });

  it('counts in Redis while only the database is away', async () => {
    const { replicas } = await open();
    const key = keyWith({ rateLimit: 30, quota: 30 });
    await sql`alter table key_use rename to gone`.execute(replicas[0].db);

    expect((await chargeEach(replicas, key, 50)).ok).toBe(30);
  });
});
