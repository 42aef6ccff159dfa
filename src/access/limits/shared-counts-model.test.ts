import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasRedis, openEmptyRedis, shareRedis } from '../../../test/support/open-redis.ts';
import { TimedCounts } from '../../../test/support/timed-counts.ts';

// Redis expires keys by its own clock, so these moments are in the future.
const startMs = Date.parse('2087-11-28T23:58:30.000Z');
const windowMs = 60_000;
/** How much longer than a minute a request may count. */
const slackMs = 100;
const runs = { numRuns: 60 };

describe.skipIf(!hasRedis)(
  'the counts in Redis compared with a list of every charge (contract C26)',
  () => {
    const server = shareRedis();
    const anyLimit = fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: 12 }));
    const anyStep = (pauseMs: fc.Arbitrary<number>) =>
      fc.record({
        pauseMs,
        keyAt: fc.nat(2),
        times: fc.integer({ min: 1, max: 8 }),
        cost: fc.constantFrom(1, 1, 2, 5),
        // Raised and lowered on the way.
        rateLimit: anyLimit,
        quota: fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: 30 })),
        unreported: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(5)),
      });
    const anyTenths = fc
      .oneof(fc.nat(20), fc.constantFrom(599, 600, 601), fc.constantFrom(863_999, 864_000))
      .map((tenths) => tenths * 100);
    const anyMs = fc.oneof(
      fc.nat(250),
      fc.nat(3_000),
      fc.constantFrom(59_850, 59_899, 59_900, 59_999, 60_000, 60_001, 60_099, 60_100),
    );

    /** Keys, each with the list of its admitted requests. */
    async function openKeys(): Promise<
      { readonly counts: TimedCounts; readonly list: number[] }[]
    > {
      const redis = await openEmptyRedis(server().url);
      const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
      return ids.map((id) => ({ counts: new TimedCounts(redis, id), list: [] }));
    }

    const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);
    const inMonth = (list: readonly number[], nowMs: number): number =>
      list.filter((atMs) => monthOf(atMs) === monthOf(nowMs)).length;
    const since = (list: readonly number[], fromMs: number): number =>
      list.filter((atMs) => atMs > fromMs).length;

    it('decides the same as the list over minutes, days and months, if no two moments share a slice', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep(anyTenths), { maxLength: 40 }), async (steps) => {
          const keys = await openKeys();
          let nowMs = startMs;
          for (const { pauseMs, keyAt, times, rateLimit, quota, unreported } of steps) {
            nowMs += pauseMs;
            const { counts, list } = pick(keys, keyAt);
            for (let n = 0; n < unreported; n += 1) list.push(nowMs);
            const known = inMonth(list, nowMs);
            await counts.charge(nowMs, { cost: 0, unreported, known });
            for (let n = 0; n < times; n += 1) {
              const [inMinute, used] = [since(list, nowMs - windowMs), inMonth(list, nowMs)];
              const isLimited = rateLimit >= 0 && inMinute >= rateLimit;
              const isUsedUp = !isLimited && quota >= 0 && used >= quota;
              const isRefused = isLimited || isUsedUp;
              const freeAtMs = (list.at(-rateLimit) ?? 0) + windowMs;
              if (!isRefused) list.push(nowMs);

              expect(await counts.charge(nowMs, { rateLimit, quota })).toEqual({
                kind: isLimited ? 'rateLimited' : isUsedUp ? 'quotaExceeded' : 'charged',
                nowMs,
                count: inMinute + (isRefused ? 0 : 1),
                used: used + (isRefused ? 0 : 1),
                waitMs: isLimited ? freeAtMs - nowMs : 0,
                charged: isRefused ? 0 : 1,
              });
            }
          }
        }),
        runs,
      );
    });

    it('decides the same for requests that come together as for one after the other', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep(anyMs), { maxLength: 30 }), async (steps) => {
          const keys = await openKeys();
          let nowMs = startMs;
          for (const { pauseMs, keyAt, times, cost, rateLimit, quota } of steps) {
            nowMs += pauseMs;
            const wanted = { rateLimit, quota, cost, monthAtMs: startMs };
            const one = pick(keys, keyAt).counts;
            const replies = [];
            for (let n = 0; n < times; n += 1) replies.push(await one.charge(nowMs, wanted));

            const other = pick(keys, keyAt + 3).counts;
            const reply = await other.charge(nowMs, { ...wanted, requests: times });

            const charged = replies.filter(({ kind }) => kind === 'charged').length;
            expect(reply).toEqual({ ...replies.at(-1), charged });
          }
        }),
        runs,
      );
    });

    it('never admits more than the limit in a minute, and counts at most 0.1 s longer', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyStep(anyMs), { minLength: 10, maxLength: 60 }),
          async (steps) => {
            const keys = await openKeys();
            let nowMs = startMs;
            for (const { pauseMs, keyAt, times, rateLimit } of steps) {
              nowMs += pauseMs;
              const { counts, list } = pick(keys, keyAt);
              for (let n = 0; n < times; n += 1) {
                const reply = await counts.charge(nowMs, { rateLimit, monthAtMs: startMs });
                const isLimited = reply.kind === 'rateLimited';

                const hasRoom =
                  rateLimit < 0 || since(list, nowMs - windowMs - slackMs) < rateLimit;
                const isFull = rateLimit >= 0 && since(list, nowMs - windowMs) >= rateLimit;

                expect({
                  isRefusedEarly: hasRoom && isLimited,
                  isPastTheLimit: isFull && !isLimited,
                  hasNoEnd: isLimited && reply.waitMs <= 0,
                }).toEqual({ isRefusedEarly: false, isPastTheLimit: false, hasNoEnd: false });
                if (!isLimited) list.push(nowMs);
              }
            }
          },
        ),
        runs,
      );
    });

    it('admits a request after the wait that it reported, and not a millisecond before', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.nat(4_000), { minLength: 1, maxLength: 40 }),
          fc.integer({ min: 1, max: 20 }),
          async (pauses, rateLimit) => {
            const key = pick(await openKeys(), 0);
            let nowMs = startMs - 86_400_000;
            // Charged without a limit, so that below a lower limit several requests have to end first.
            for (const pauseMs of pauses) await key.counts.charge((nowMs += pauseMs));

            const refused = await key.counts.charge(nowMs, { rateLimit });
            if (refused.kind !== 'rateLimited') return;
            const passesAtMs = nowMs + refused.waitMs;
            const before = await key.counts.charge(passesAtMs - 1, { rateLimit });
            const after = await key.counts.charge(passesAtMs, { rateLimit });

            expect([before.kind, after.kind]).toEqual(['rateLimited', 'charged']);
            expect(before.waitMs).toBe(1);
          },
        ),
        runs,
      );
    });

    it('reports when no request counts any more if it only looks', async () => {
      const key = pick(await openKeys(), 0);
      await key.counts.charge(startMs);
      await key.counts.charge(startMs + 2_050);

      const look = { cost: 0 };
      const now = await key.counts.charge(startMs + 5_000, look);
      const before = await key.counts.charge(startMs + 62_049, look);
      const after = await key.counts.charge(startMs + 62_050, look);

      expect(now).toMatchObject({ kind: 'counted', count: 2, used: 2, waitMs: 57_050 });
      expect(before).toMatchObject({ kind: 'counted', count: 1, waitMs: 1 });
      expect(after).toMatchObject({ kind: 'counted', count: 0, waitMs: 0, used: 2 });
    });
  },
);

function pick<T>(list: readonly T[], at: number): T {
  const item = list[at];
  if (item === undefined) throw new Error(`there is no item ${at}`);
  return item;
}
