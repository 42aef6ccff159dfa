import { expect, it } from 'vitest';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { createHourly } from './hourly.ts';

it('createHourly works at once, after an hour or if some work is left, and not while the clock is not trusted', async () => {
  const clock = new SettableClock('2026-11-20T07:00:00Z');
  const clockGuard = { isTrusted: false, isDoubted: false };
  const world = { clock, clockGuard, times: 0, isMore: false };
  const tick = createHourly(world, async () => {
    world.times += 1;
    return world.isMore;
  });
  const timesAfter = async (change: () => void): Promise<number> => {
    change();
    await tick();
    return world.times;
  };

  expect(await timesAfter(() => {})).toBe(0);
  expect(await timesAfter(() => (clockGuard.isTrusted = true))).toBe(1);
  expect(await timesAfter(() => clock.advance(3_599_999))).toBe(1);
  expect(await timesAfter(() => clock.advance(1))).toBe(2);
  world.isMore = true;
  expect(await timesAfter(() => clock.advance(3_600_000))).toBe(3);
  expect(await timesAfter(() => {})).toBe(4);
});
