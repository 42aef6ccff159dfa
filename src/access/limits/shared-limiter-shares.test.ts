import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { limitedKey } from '../../../test/support/open-limiter.ts';
import { hasRedis, startRedis } from '../../../test/support/open-redis.ts';
import { addUp, Replica } from '../../../test/support/open-replica.ts';
import { Dice } from '../../../test/support/dice.ts';
import type { RedisServer } from '../../../test/support/redis-server.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { temporaryDatabaseUrl } from '../../../test/support/temporary-database.ts';
import type { LimitedKey } from './limiter.ts';

/** Until nothing of a minute counts any more, in slices of a tenth of a second. */
const overMs = 60_300;

describe.skipIf(!hasRedis)('the shares after an uneven load (contract C26, R21)', () => {
  /** Replicas on a Redis and a database of their own, in standing time. */
  async function open(processes: number): Promise<{
    readonly server: RedisServer;
    readonly clock: SettableClock;
    readonly replicas: readonly Replica[];
  }> {
    const server = await startRedis();
    const clock = new SettableClock(new Date().toISOString());
    const where = { databaseUrl: temporaryDatabaseUrl(), redisUrl: server.url, processes, clock };
    const replicas: Replica[] = [];
    for (let n = 0; n < processes; n += 1) replicas.push(await Replica.open(where));
    return { server, clock, replicas };
  }

  const keyWith = (rateLimit: number): LimitedKey =>
    limitedKey({ id: `key_${randomUUID()}`, rateLimit });

  /** Charges at each replica as often as its number says, one replica after the other; what was let through. */
  async function charge(
    replicas: readonly Replica[],
    key: LimitedKey,
    times: readonly number[],
  ): Promise<readonly number[]> {
    const ok: number[] = [];
    for (const [at, replica] of replicas.entries()) {
      ok.push((await replica.charge(key, times[at] ?? 0)).ok);
    }
    return ok;
  }

  const sum = (counts: readonly number[]): number => counts.reduce((total, n) => total + n, 0);

  async function untilAway(replicas: readonly Replica[]): Promise<void> {
    const probe = keyWith(1_000_000);
    await Promise.all(
      replicas.map(async (replica) => {
        await expect
          .poll(async () => (await replica.charge(probe), replica.redis.isAway), { interval: 1 })
          .toBe(true);
      }),
    );
  }

  async function untilBack(replicas: readonly Replica[]): Promise<void> {
    await expect.poll(() => replicas.every(({ redis }) => !redis.isAway)).toBe(true);
  }

  async function untilDeciding(replicas: readonly Replica[]): Promise<void> {
    await untilBack(replicas);
    await expect.poll(() => replicas.every(({ redis }) => !redis.isSettling)).toBe(true);
  }

  // Each knows of what was let through until it asked last.
  it.each([
    ['most at one replica', 60, [40, 5, 3], [4, 4, 3]],
    ['all at one replica, and then a request at each', 60, [44, 0, 0], [5, 5, 5]],
    ['as many at each', 60, [15, 15, 15], [5, 5, 4]],
    ['all that there is', 48, [40, 3, 2], [1, 1, 0]],
    ['all that there is at one replica, and others refused', 45, [45, 0, 0], [0, 0, 0]],
  ])('are of what is left of the limit: %s', async (_, rateLimit, before, left) => {
    const { server, clock, replicas } = await open(3);
    const key = keyWith(rateLimit);
    await charge(replicas, key, before);
    await charge(replicas, key, [1, 1, 1]);

    await server.kill();
    await untilAway(replicas);
    const alone = await charge(replicas, key, [90, 90, 90]);
    clock.advance(overMs);
    const aMinuteLater = await charge(replicas, key, [90, 90, 90]);

    expect(alone).toEqual(left);
    const share = Math.ceil(rateLimit / 3);
    expect(aMinuteLater).toEqual([share, share, share]);
  });

  it('are of what is left by the database where others asked since', async () => {
    const { server, replicas } = await open(3);
    const key = keyWith(60);
    const before =
      sum(await charge(replicas, key, [5, 5, 5])) + sum(await charge(replicas, key, [30]));
    for (const replica of replicas) await replica.write();

    await server.kill();
    await untilAway(replicas);

    expect([before, await charge(replicas, key, [90, 90, 90])]).toEqual([45, [5, 5, 5]]);
  });

  it('tell a refused caller when it is let through', async () => {
    const { server, clock, replicas } = await open(3);
    const key = keyWith(30);
    await charge(replicas, key, [10, 1, 1]);
    clock.advance(20_000);
    await charge(replicas, key, [15, 2, 1]);
    await server.kill();
    await untilAway(replicas);

    const refusal = await replicas[2]?.access.limiter.charge(key);
    clock.advance(39_000);
    const before = (await replicas[2]?.charge(key))?.ok;
    clock.advance((refusal?.retryAfterSeconds ?? 0) * 1_000 - 39_000);

    expect(refusal).toMatchObject({ kind: 'rateLimited', policy: 'rate-limit', limit: 30 });
    expect([before, (await replicas[2]?.charge(key))?.ok]).toEqual([0, 1]);
  });

  it('follow a limit that is changed', async () => {
    const { server, replicas } = await open(2);
    const key = keyWith(20);
    await charge(replicas, key, [18, 1]);
    await charge(replicas, key, [0, 1]);
    await charge(replicas, key, [1]);
    await server.kill();
    await untilAway(replicas);

    const asItWas = await charge(replicas, key, [9, 9]);
    const raised = await charge(replicas, { ...key, rateLimit: 40 }, [90, 90]);
    const lowered = await charge(replicas, { ...key, rateLimit: 30 }, [90, 90]);
    const without = await charge(replicas, { ...key, rateLimit: 'none' }, [9, 9]);

    expect({ asItWas, raised, lowered, without }).toEqual({
      asItWas: [0, 0],
      raised: [10, 10],
      lowered: [0, 0],
      without: [9, 9],
    });
  });

  it('are kept while Redis has not heard from everybody, though it is asked', async () => {
    const { server, replicas } = await open(3);
    const key = keyWith(60);
    await charge(replicas, key, [40, 1, 1]);
    await charge(replicas, key, [1, 1, 1]);
    await server.kill();
    await untilAway(replicas);
    await charge(replicas, key, [90, 90, 90]);

    await server.restart();
    await untilBack(replicas);
    const [, other] = replicas;
    await other?.charge(key);
    await other?.describe(key);

    expect((await other?.charge(key, 90))?.ok).toBe(0);
  });

  it('begin with what Redis says again, with nothing of the outage before', async () => {
    const { server, replicas } = await open(3);
    const key = keyWith(60);
    await charge(replicas, key, [1, 1, 1]);
    server.pause();
    await untilAway(replicas);
    await charge(replicas, key, [15]);
    server.resume();
    await untilDeciding(replicas);
    await charge(replicas, key, [1, 1, 1]);
    await charge(replicas, key, [1, 1, 1]);

    await server.kill();
    await untilAway(replicas);

    // Of the 24 that were let through, the first replica had counted 15 three times.
    expect(await charge(replicas, key, [90, 90, 90])).toEqual([13, 13, 12]);
  });

  it('of a quota are all known to Redis before it decides again', async () => {
    const { server, replicas } = await open(3);
    const key = limitedKey({ id: `key_${randomUUID()}`, quota: 60 });
    const before = sum(await charge(replicas, key, [5, 5, 5]));
    await server.kill();
    await untilAway(replicas);
    const alone = sum(await charge(replicas, key, [90, 90, 90]));

    await server.restart();
    await untilBack(replicas);
    // Each tells what it knows, while nobody has written what it let through.
    const settling = sum(await charge(replicas, key, [1, 1, 1]));
    for (const replica of replicas) await replica.write();
    await untilDeciding(replicas);
    const together = sum(await charge(replicas, key, [90, 90, 90]));

    expect({ settling, together }).toEqual({ settling: 0, together: 0 });
    // Each knew of what was let through until it asked last.
    expect(before + alone).toBeGreaterThanOrEqual(60);
    expect(before + alone).toBeLessThan(70);
  });

  it('of a quota are known to Redis though somebody writes them late', async () => {
    const { server, clock, replicas } = await open(2);
    const [one, late] = replicas;
    const key = limitedKey({ id: `key_${randomUUID()}`, quota: 1_000 });
    await charge(replicas, key, [5, 5]);
    await server.kill();
    await untilAway(replicas);
    await charge(replicas, key, [9, 9]);
    await server.restart();
    await untilBack(replicas);
    for (const replica of replicas) await replica.used(key);
    await untilDeciding(replicas);
    await one?.used(key);

    await late?.write();
    clock.advance(2_000);

    expect((await one?.used(key))?.[1]).toBe(28);
  });

  it.each([2, 3, 4, 5])(
    'let no more through than the limit and a request for each: %i replicas',
    async (processes) => {
      const { server, clock, replicas } = await open(processes);
      const dice = new Dice(processes);
      const keys = Array.from({ length: 30 }, () => keyWith(1 + dice.below(90)));
      const before = new Map<LimitedKey, number>();
      for (const key of keys) {
        const uneven = replicas.map(() => dice.below(4) * dice.below(20));
        const first = await charge(replicas, key, uneven);
        const last = await charge(
          replicas,
          key,
          replicas.map(() => 1),
        );
        before.set(key, sum(first) + sum(last));
      }

      await server.kill();
      await untilAway(replicas);
      for (const key of keys) {
        const limit = key.rateLimit as number;
        const tallies = await Promise.all(replicas.map(async (replica) => replica.charge(key, 99)));
        const admitted = (before.get(key) ?? 0) + addUp(tallies).ok;
        // Whoever was not the last to ask does not know of the last requests.
        expect(admitted).toBeGreaterThanOrEqual(limit);
        expect(admitted).toBeLessThan(limit + 2 * processes);
      }
      clock.advance(overMs);
      for (const key of keys) {
        const share = Math.ceil((key.rateLimit as number) / processes);
        const after = await charge(
          replicas,
          key,
          replicas.map(() => 99),
        );
        expect(after).toEqual(replicas.map(() => share));
      }
    },
  );
});
