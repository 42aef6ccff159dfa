import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, type IsoDate, momentIn } from '../platform/time.ts';
import { newestAvailableDay } from './timetable.ts';

const at = (moment: string): number => Date.parse(moment);

describe('newestAvailableDay', () => {
  it('is at any moment the last day on which the clock in Frankfurt has shown 16:00', () => {
    const shows16 = (date: IsoDate): number => momentIn('Europe/Berlin', date, 16 * 60);
    const anyMinute = fc
      .integer({ min: 0, max: 110 * 366 * 24 * 60 })
      .map((minutes) => at('1999-01-04T00:00:00Z') + minutes * 60_000);
    fc.assert(
      fc.property(anyMinute, fc.constantFrom(-1, 0, 1), (minuteMs, ms) => {
        const nowMs = minuteMs + ms;
        const day = newestAvailableDay(nowMs);
        expect(shows16(day)).toBeLessThanOrEqual(nowMs);
        expect(shows16(addDays(day, 1))).toBeGreaterThan(nowMs);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['2026-03-29T13:59:59.999Z', '2026-03-28'],
    ['2026-03-29T14:00:00.000Z', '2026-03-29'],
    ['2026-10-25T14:59:59.999Z', '2026-10-24'],
    ['2026-10-25T15:00:00.000Z', '2026-10-25'],
    ['2026-07-01T23:00:00.000Z', '2026-07-01'],
  ])('is at %s that of %s', (moment, day) => {
    expect(newestAvailableDay(at(moment))).toBe(day);
  });
});
