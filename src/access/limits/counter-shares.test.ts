import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CounterWorld, dailyUse as use, limitedKey } from '../../../test/support/open-counter.ts';
import type { LimitedKey } from './key-limits.ts';

const count = (outcomes: readonly string[]): number =>
  outcomes.filter((outcome) => outcome === 'ok').length;

/** Replicas without Redis. */
function openReplicas(replicas: number) {
  const world = new CounterWorld();
  world.replicas = replicas;
  const all = Array.from({ length: replicas }, () => world.open());
  return { world, all };
}

describe('a share of a limit, without Redis (contract C26, R21)', () => {
  it.each<[string, Partial<LimitedKey>, readonly number[]]>([
    ['the rate limit', { rateLimit: 30 }, [10, 10, 10]],
    ['a limit that cannot be divided', { rateLimit: 32 }, [10, 10, 10]],
    ['a limit below the number of replicas', { rateLimit: 1 }, [1, 1, 1]],
    ['the quota', { quota: 30 }, [10, 10, 10]],
    ['a quota below the number of replicas', { quota: 2 }, [1, 1, 1]],
    ['a missing limit', {}, [50, 50, 50]],
  ])('is %s divided by the replicas, and one request at least', async (_, own, admitted) => {
    const { all } = openReplicas(3);

    const outcomes = await Promise.all(all.map(async ({ charge }) => charge(limitedKey(own), 50)));

    expect(outcomes.map(count)).toEqual(admitted);
  });

  it.each<[string, Partial<LimitedKey>, object]>([
    ['a part of the rate limit', { rateLimit: 32, quota: 30 }, { rateLimit: 10, quota: 30 }],
    ['one request at least', { rateLimit: 2, quota: 1 }, { rateLimit: 1, quota: 1 }],
    ['no part of a missing limit', { rateLimit: 'none' }, { rateLimit: 'none' }],
  ])('is the most that fits at once: %s (rule K10)', (_, own, most) => {
    const { all } = openReplicas(3);

    expect(all[0]?.counter.mostOf(limitedKey(own))).toMatchObject(most);
  });

  it('is one of what is left of a quota, and the next reads of the month give another one', async () => {
    const { world, all } = openReplicas(2);
    const [one] = all;
    const key = limitedKey({ quota: 40 });
    world.rows.push(use('2026-11-19', 20));
    const admitted: (number | undefined)[] = [];

    for (let reads = 0; reads < 5; reads += 1) {
      const outcomes = await one?.charge(key, 50);
      admitted.push(outcomes && count(outcomes));
      await one?.write();
      world.clock.advance(2_000);
    }

    // What it charged between two reads counts for the other replica, too, which may have charged as much.
    expect(admitted).toEqual([10, 0, 5, 0, 2]);
    expect(await one?.counter.charge(key)).toMatchObject({ limit: 40, retryAfterSeconds: 4 });
  });

  it.each([
    ['joins', 1, 2, 24 + 3, 30 + 15],
    ['leaves', 2, 1, 12 + 6, 15 + 15],
  ])(
    'changes with requests that come after a replica %s, and earlier ones weigh as before',
    async (_, before, after, admitted, most) => {
      const { world, all } = openReplicas(2);
      const key = limitedKey({ rateLimit: 30 });
      world.replicas = before;
      const first = count((await all[0]?.charge(key, 12 * (before === 1 ? 2 : 1))) ?? []);

      world.replicas = after;
      const second = count((await all[0]?.charge(key, 50)) ?? []);
      const joined = before === 1 ? count((await all[1]?.charge(key, 50)) ?? []) : 0;

      expect(first + second).toBe(admitted);
      expect(first + second + joined).toBeLessThanOrEqual(most);
    },
  );

  it('of a quota includes at most what others wrote before the last read, also after a long pause', async () => {
    const { world, all } = openReplicas(2);
    const key = limitedKey({ quota: 40 });
    await all[0]?.charge(key);
    await all[0]?.write();
    world.clock.advance(2_000);
    const before = await all[0]?.usedInMonth(key);
    world.clock.advance(3_600_000);
    world.rows.push(use('2026-11-20', 39));

    expect(before).toBe(1);
    expect(await all[0]?.charge(key, 3)).toEqual(Array(3).fill('quotaExceeded'));
  });
});

describe('a quota over replicas without Redis, whatever the timing (R21)', () => {
  const anyStep = fc.record({
    pauseMs: fc.oneof(fc.constantFrom(0, 100, 1_900, 2_000, 2_100), fc.nat(4_000)),
    at: fc.nat(2),
    times: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 40 })),
  });
  const anyRun = fc.record({
    replicas: fc.constantFrom(2, 3),
    quota: fc.integer({ min: 20, max: 40 }),
    steps: fc.array(anyStep, { minLength: 5, maxLength: 60 }),
    // Each replica writes once a second, at its own moment.
    writesAtMs: fc
      .tuple(fc.nat(9), fc.nat(9), fc.nat(9))
      .map((tenths) => tenths.map((t) => t * 100)),
  });

  it('is exceeded by at most a tenth, and used up by one that asks on', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, async ({ replicas, quota, steps, writesAtMs }) => {
        const { world, all } = openReplicas(replicas);
        const key = limitedKey({ quota });
        let [admitted, elapsedMs] = [0, 0];
        const pass = async (pauseMs: number): Promise<void> => {
          for (const endMs = elapsedMs + pauseMs; elapsedMs < endMs; elapsedMs += 100) {
            for (const [at, { write }] of all.entries()) {
              if (elapsedMs % 1_000 === writesAtMs[at]) await write();
            }
            world.clock.advance(100);
          }
        };
        for (const { pauseMs, at, times } of steps) {
          await pass(pauseMs);
          admitted += count((await all[at % replicas]?.charge(key, times)) ?? []);
        }
        expect(admitted).toBeLessThanOrEqual(Math.floor(1.1 * quota));
        for (let n = 0; n < 20 && admitted < quota; n += 1) {
          await pass(4_000);
          admitted += count((await all[0]?.charge(key, quota)) ?? []);
        }
        expect(admitted).toBeGreaterThanOrEqual(quota);
        expect(admitted).toBeLessThanOrEqual(Math.floor(1.1 * quota));
      }),
      { numRuns: 200 },
    );
  });
});
