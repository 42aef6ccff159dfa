import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delayAfterFailureMs, delayBeforeConfirmationMs } from './attempt-schedule.ts';

const minuteMs = 60_000;
const anyRandom = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the delay after a failed attempt (rule K8)', () => {
  it.each([
    [1, 1],
    [2, 5],
    [3, 15],
    [4, 60],
    [5, 60],
    [720, 60],
  ])('is after %i attempts %i minutes', (attempts, minutes) => {
    expect(delayAfterFailureMs(attempts, 0.5)).toBe(minutes * minuteMs);
  });

  it.each([
    ['10 % less at the lowest', 0, 13.5],
    ['5 % less at a quarter', 0.25, 14.25],
    ['10 % more at the highest', 1 - Number.EPSILON, 16.5],
  ])('is %s', (_, random, minutes) => {
    expect(delayAfterFailureMs(3, random)).toBe(minutes * minuteMs);
  });

  it('is a whole number of milliseconds within 10 % of its step, and never shorter than the one before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), anyRandom, (attempts, random) => {
        const delayMs = delayAfterFailureMs(attempts, random);
        const stepMs = delayAfterFailureMs(attempts, 0.5);

        expect(Number.isInteger(delayMs)).toBe(true);
        expect(Math.abs(delayMs - stepMs)).toBeLessThanOrEqual(stepMs / 10);
        expect(delayAfterFailureMs(attempts + 1, random)).toBeGreaterThanOrEqual(delayMs);
      }),
    );
  });
});

describe('the delay before a confirmation (rule K9)', () => {
  it('is 60 s at the least and 66 s at the most', () => {
    expect(delayBeforeConfirmationMs(0)).toBe(60_000);
    expect(delayBeforeConfirmationMs(1 - Number.EPSILON)).toBe(66_000);
    fc.assert(
      fc.property(anyRandom, (random) => {
        const delayMs = delayBeforeConfirmationMs(random);

        expect(Number.isInteger(delayMs) && delayMs >= 60_000 && delayMs <= 66_000).toBe(true);
      }),
    );
  });
});
