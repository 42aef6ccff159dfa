import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlidingWindow } from './sliding-window.ts';

const startMs = 1_000_000;
const anyPause = fc.oneof(
  fc.integer({ min: 0, max: 30 }),
  fc.integer({ min: 95, max: 105 }),
  fc.integer({ min: 0, max: 12_000 }),
  fc.integer({ min: 59_890, max: 60_110 }),
  fc.constant(75_000),
);

describe('SlidingWindow.follow', () => {
  type Step = { readonly pauseMs: number; readonly addedTimes: number; readonly isHeard: boolean };
  const anyStep = fc.record({
    pauseMs: anyPause,
    addedTimes: fc.nat(5),
    isHeard: fc.boolean(),
  });
  const anySteps = fc.array(anyStep, { minLength: 1, maxLength: 60 });

  /** Follows a count that others add to; the last step is heard. */
  function followOther(steps: readonly Step[]) {
    const [recent, other] = [new SlidingWindow(), new SlidingWindow()];
    /** The moment of every request. */
    const every: number[] = [];
    let nowMs = startMs;
    let added = 0;
    for (const [at, { pauseMs, addedTimes, isHeard }] of steps.entries()) {
      nowMs += pauseMs;
      for (let times = 0; times < addedTimes; times += 1) {
        other.add(nowMs);
        every.push(nowMs);
      }
      added += addedTimes;
      if (!isHeard && at < steps.length - 1) continue;
      recent.follow({ added, total: other.count(nowMs) }, nowMs);
      added = 0;
      expect(recent.count(nowMs)).toBe(other.count(nowMs));
    }
    return { recent, every, nowMs };
  }

  it('has as many as the other whenever it hears of it, and never lets go of one too early', () => {
    fc.assert(
      fc.property(anySteps, fc.nat(61_000), (steps, laterMs) => {
        const { recent, every, nowMs } = followOther(steps);

        const atMs = nowMs + laterMs;
        expect(recent.count(atMs)).toBeGreaterThanOrEqual(countSince(every, atMs - 60_000));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps none for more than a fifth of a second too long when it hears of each', () => {
    fc.assert(
      fc.property(anySteps, fc.nat(61_000), (steps, laterMs) => {
        const { recent, every, nowMs } = followOther(
          steps.map((step) => ({ ...step, isHeard: true })),
        );

        const atMs = nowMs + laterMs;
        expect(recent.count(atMs)).toBeLessThanOrEqual(countSince(every, atMs - 60_200));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['takes what it did not hear of for new', { added: 0, total: 5 }, [5, 3]],
    ['lets go of the oldest first', { added: 0, total: 1 }, [1, 0]],
    ['has nothing where there is nothing', { added: 0, total: 0 }, [0, 0]],
    ['has what was added, though as many were over', { added: 2, total: 2 }, [2, 2]],
  ])('%s', (_, other, expected) => {
    const recent = new SlidingWindow();
    const atMs = startMs + 30_000;
    recent.add(startMs);
    recent.add(atMs);

    recent.follow(other, atMs);

    expect([recent.count(atMs), recent.count(atMs + 60_000)]).toEqual(expected);
  });
});

function countSince(every: readonly number[], fromMs: number): number {
  return every.filter((atMs) => atMs > fromMs).length;
}
