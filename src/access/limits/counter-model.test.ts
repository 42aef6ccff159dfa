import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CounterWorld, limitedKey as keyOf } from '../../../test/support/open-counter.ts';
import type { LimitedKey } from './key-limits.ts';

/** Every charge of a key, as the contract counts it. */
type Charged = { readonly atMs: number; readonly windowBeganMs: number };

describe('Counter compared with a list of every charge (contract C26)', () => {
  const anyStep = fc.record({
    pauseMs: fc.oneof(
      fc.nat(2_000),
      fc.constantFrom(59_999, 60_000, 60_001, 3_600_000),
      fc.constantFrom(86_399_999, 86_400_000, 10 * 86_400_000),
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

  /** The outcome of a charge as the contract defines it, added to the list if it is admitted. */
  function judge({ rateLimit, quota }: LimitedKey, list: Charged[], nowMs: number, cost: number) {
    const last = list.at(-1)?.windowBeganMs ?? -Infinity;
    const windowBeganMs = nowMs < last + 60_000 ? last : nowMs;
    const inWindow = list.filter((one) => one.windowBeganMs === windowBeganMs).length;
    const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);
    const inMonth = list.filter(({ atMs }) => monthOf(atMs) === monthOf(nowMs)).length;
    if (typeof rateLimit === 'number' && inWindow + cost > rateLimit) return 'rateLimited';
    if (typeof quota === 'number' && inMonth + cost > quota) return 'quotaExceeded';
    list.push(...Array.from({ length: cost }, () => ({ atMs: nowMs, windowBeganMs })));
    return 'ok';
  }

  it('decides and writes the same as the list over windows, days and months', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 60 }), async (steps) => {
        const world = new CounterWorld('2026-11-28T23:59:00.000Z');
        const { charge, write } = world.open();
        const lists = keys.map((): Charged[] => []);
        for (const { pauseMs, keyAt, times, cost, isWritten } of steps) {
          world.clock.advance(pauseMs);
          const [key = keyOf(), list = []] = [keys[keyAt], lists[keyAt]];
          const nowMs = world.clock.now();
          const expected = Array.from({ length: times }, () => judge(key, list, nowMs, cost));
          expect(await charge(key, times, cost)).toEqual(expected);
          if (isWritten) await write();
        }
        await write();

        const written = keys.map(({ id }) =>
          world.rows
            .filter(({ keyId }) => keyId === id)
            .flatMap(({ useDate, requests }) => Array<string>(requests).fill(useDate))
            .sort(),
        );
        const dayOf = ({ atMs }: Charged): string => new Date(atMs).toISOString().slice(0, 10);
        expect(written).toEqual(lists.map((list) => list.map(dayOf)));
      }),
    );
  });
});
