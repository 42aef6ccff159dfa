import { describe, expect, it } from 'vitest';
import { confirmationOf, firstSlot, slotAfter } from './schedule.ts';

const noon = Date.parse('2026-11-20T12:00:00Z');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const ids = Array.from({ length: 5_000 }, (_, n) => `vw_${n.toString(16).padStart(12, '0')}`);

/** The largest count of these moments within one hour. */
function mostInAnHour(moments: readonly number[]): number {
  const sorted = moments.toSorted((one, other) => one - other);
  let first = 0;
  return sorted.reduce((most, moment, at) => {
    while (moment - sorted[first]! >= hourMs) first += 1;
    return Math.max(most, at - first + 1);
  }, 0);
}

describe('the slots of a watch (rule K13)', () => {
  it('has the second check in the second half of the period', () => {
    for (const everyDays of [1, 90, 365]) {
      for (const id of ids) {
        const waitMs = firstSlot(id, noon, everyDays) - noon;
        expect(waitMs).toBeGreaterThanOrEqual((everyDays * dayMs) / 2);
        expect(waitMs).toBeLessThanOrEqual(everyDays * dayMs);
      }
    }
  });

  it.each([
    [90, 40],
    [7, 200],
    [1, 700],
  ])(
    'spreads 5,000 watches of one hour with a period of %i days, in 5 periods to come: at most %i in an hour',
    (everyDays, most) => {
      let slots = ids.map((id, n) => firstSlot(id, noon + (n * hourMs) / ids.length, everyDays));
      for (let period = 0; period < 5; period += 1) {
        expect(mostInAnHour(slots)).toBeLessThanOrEqual(most);
        // A check is made a little late.
        slots = slots.map((slot, n) => slotAfter(slot, slot + (n % 7) * hourMs, everyDays));
      }
    },
  );

  it('has its slots whole periods apart, and leaves out those that have passed', () => {
    expect(slotAfter(noon, noon - 1, 3)).toBe(noon);
    expect(slotAfter(noon, noon, 3)).toBe(noon + 3 * dayMs);
    expect(slotAfter(noon, noon + 3 * dayMs - 1, 3)).toBe(noon + 3 * dayMs);
    expect(slotAfter(noon, noon + 3 * dayMs, 3)).toBe(noon + 6 * dayMs);
    expect(slotAfter(noon, noon + 31 * dayMs, 3)).toBe(noon + 33 * dayMs);
  });

  it('confirms a false answer one hour later or up to ten minutes after that', () => {
    const waits = ids.map((id) => confirmationOf(id, noon) - noon);

    expect(Math.min(...waits)).toBeGreaterThanOrEqual(hourMs);
    expect(Math.max(...waits)).toBeLessThanOrEqual(hourMs + 10 * 60_000);
    expect(new Set(waits).size).toBeGreaterThan(4_000);
  });
});
