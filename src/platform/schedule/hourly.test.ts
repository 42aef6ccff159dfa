import { expect, describe, it } from 'vitest';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { createHourly } from './hourly.ts';

function openHourly() {
  const clock = new SettableClock('2026-11-20T07:00:00Z');
  const clockGuard = { isTrusted: true, isDoubted: false };
  const world = { clock, clockGuard, times: 0, isMore: false };
  const tick = createHourly(world, async () => {
    world.times += 1;
    return world.isMore;
  });
  return Object.assign(world, { tick });
}

describe('createHourly', () => {
  it('works immediately, and again an hour later', async () => {
    const world = openHourly();

    await world.tick();
    world.clock.advance(3_599_999);
    await world.tick();
    expect(world.times).toBe(1);
    world.clock.advance(1);
    await world.tick();

    expect(world.times).toBe(2);
  });

  it('continues with the next tick if some work is left', async () => {
    const world = openHourly();
    world.isMore = true;

    await world.tick();
    await world.tick();

    expect(world.times).toBe(2);
  });

  it('does nothing while the clock is not trusted, and works as soon as it is', async () => {
    const world = openHourly();

    world.clockGuard.isTrusted = false;
    await world.tick();
    expect(world.times).toBe(0);
    world.clockGuard.isTrusted = true;
    await world.tick();

    expect(world.times).toBe(1);
  });
});
