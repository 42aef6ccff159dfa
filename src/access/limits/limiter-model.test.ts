import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitedKey as keyOf, openLimiter } from '../../../test/support/open-limiter.ts';
import type { LimitedKey } from './key-limits.ts';

describe('Limiter compared with a list of every charge (contract C26)', () => {
  // With steps of a tenth of a second a request counts for exactly a minute.
  const anyStep = fc.record({
    pauseTenths: fc.oneof(
      fc.nat(20),
      fc.constantFrom(599, 600, 601, 36_000),
      fc.constantFrom(863_999, 864_000, 10 * 864_000),
    ),
    keyAt: fc.nat(2),
    times: fc.integer({ min: 1, max: 8 }),
    cost: fc.constantFrom(1, 1, 3),
    isWritten: fc.boolean(),
  });
  const keys = [
    keyOf({ id: 'key_a', rateLimit: 5 }),
    keyOf({ id: 'key_b', quota: 12 }),
    keyOf({ id: 'key_c', rateLimit: 7, quota: 20 }),
  ];

  /** The outcome of a charge as the contract defines it. */
  function judge(
    { rateLimit, quota }: LimitedKey,
    charged: readonly number[],
    { nowMs, cost }: { readonly nowMs: number; readonly cost: number },
  ) {
    const inMinute = charged.filter((atMs) => nowMs < atMs + 60_000).length;
    const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);
    const inMonth = charged.filter((atMs) => monthOf(atMs) === monthOf(nowMs)).length;
    if (typeof rateLimit === 'number' && inMinute + cost > rateLimit) return 'rateLimited';
    return typeof quota === 'number' && inMonth + cost > quota ? 'quotaExceeded' : 'ok';
  }

  it('decides and writes the same as the list over minutes, days and months', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 60 }), async (steps) => {
        const { clock, rows, charge, write } = openLimiter('2026-11-28T23:59:00.000Z');
        const charged = keys.map((): number[] => []);
        for (const { pauseTenths, keyAt, times, cost, isWritten } of steps) {
          clock.advance(pauseTenths * 100);
          const [key = keyOf(), list = []] = [keys[keyAt], charged[keyAt]];
          const expected = Array.from({ length: times }, () => {
            const outcome = judge(key, list, { nowMs: clock.now(), cost });
            if (outcome === 'ok') list.push(...Array<number>(cost).fill(clock.now()));
            return outcome;
          });
          expect(await charge(key, times, cost)).toEqual(expected);
          if (isWritten) await write();
        }
        await write();

        const written = keys.map(({ id }) =>
          rows
            .filter(({ keyId }) => keyId === id)
            .flatMap(({ useDate, requests }) => Array<string>(requests).fill(useDate))
            .sort(),
        );
        const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
        expect(written).toEqual(charged.map((list) => list.map(dayOf)));
      }),
    );
  });
});
