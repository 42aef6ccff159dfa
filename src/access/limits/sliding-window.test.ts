import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlidingWindow } from './sliding-window.ts';

const startMs = 1_000_000;

/** Counts requests after these pauses; returns the moment of the last one as well. */
function replay(pausesMs: readonly number[]) {
  const recent = new SlidingWindow();
  let atMs = startMs;
  for (const pauseMs of pausesMs) recent.add((atMs += pauseMs));
  return { recent, atMs };
}

/** A plain implementation for comparison: the moment of every admitted request. */
class EveryRequest {
  #atMs: number[] = [];

  add(nowMs: number): void {
    this.#atMs.push(nowMs);
  }

  count(nowMs: number, countsForMs: number): number {
    // After a clock was set, earlier moments are meaningless.
    if (nowMs < Math.max(...this.#atMs) - 1_000) this.#atMs = [];
    return this.#atMs.filter((atMs) => nowMs < atMs + countsForMs).length;
  }

  /** Forgets ended requests; they stay forgotten if the clock goes back. */
  forget(nowMs: number): void {
    this.#atMs = this.#atMs.filter((atMs) => nowMs < atMs + 60_000);
  }
}

const anyLimit = fc.integer({ min: 1, max: 12 });
const anyPause = fc.oneof(
  fc.integer({ min: 0, max: 30 }),
  fc.integer({ min: 95, max: 105 }),
  fc.integer({ min: 0, max: 12_000 }),
  fc.integer({ min: 59_890, max: 60_110 }),
  fc.constant(75_000),
);
const anyPauses = fc.array(anyPause, { minLength: 1, maxLength: 120 });

describe('SlidingWindow.count', () => {
  it('is 0 at the beginning', () => {
    expect(new SlidingWindow().count(startMs)).toBe(0);
  });

  it.each([
    ['immediately', 0, 1],
    ['for 60 seconds', 59_999, 1],
    ['no longer, when it was alone in its tenth of a second', 60_000, 0],
  ])('counts a request %s', (_, laterMs, count) => {
    const { recent, atMs } = replay([0]);

    expect(recent.count(atMs + laterMs)).toBe(count);
  });

  it.each([
    ['counts them a minute after the first', 60_000, 5],
    ['counts them until a minute after their last', 60_098, 5],
    ['then counts only those of the next tenth', 60_099, 2],
    ['counts those until a minute after their last', 60_198, 2],
    ['counts none in the end', 60_199, 0],
  ])('keeps requests of a tenth of a second together: %s', (_, laterMs, count) => {
    const { recent } = replay([0, 50, 49, 1, 99]);

    expect(recent.count(startMs + laterMs)).toBe(count);
  });

  it('counts a request for 60 seconds at least, and for 60.1 at most', () => {
    fc.assert(
      fc.property(anyPauses, (pausesMs) => {
        const recent = new SlidingWindow();
        const every = new EveryRequest();
        let nowMs = startMs;
        for (const pauseMs of pausesMs) {
          nowMs += pauseMs;
          expect(recent.count(nowMs)).toBeGreaterThanOrEqual(every.count(nowMs, 60_000));
          expect(recent.count(nowMs)).toBeLessThanOrEqual(every.count(nowMs, 60_100));
          recent.add(nowMs);
          every.add(nowMs);
        }
      }),
    );
  });

  it('is not changed by reading', () => {
    fc.assert(
      fc.property(anyPauses, fc.integer({ min: 0, max: 61_000 }), (pausesMs, laterMs) => {
        const { recent, atMs } = replay(pausesMs);
        const counted = replay(pausesMs).recent;
        counted.count(atMs);
        counted.waitMs(1, atMs);
        expect(counted.count(atMs + laterMs)).toBe(recent.count(atMs + laterMs));
      }),
    );
  });
});

describe('SlidingWindow under a limit (contract C26)', () => {
  it('never admits more than the limit in any 60 seconds', () => {
    fc.assert(
      fc.property(anyLimit, anyPauses, (limit, pausesMs) => {
        const recent = new SlidingWindow();
        const every = new EveryRequest();
        let nowMs = startMs;
        for (const pauseMs of pausesMs) {
          nowMs += pauseMs;
          if (recent.count(nowMs) < limit) {
            recent.add(nowMs);
            every.add(nowMs);
          }
          expect(every.count(nowMs, 60_000)).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  it('refuses the limit at the end of one minute and again at the start of the next', () => {
    const { recent } = replay([59_900, ...Array.from({ length: 599 }, () => 0)]);

    expect(recent.count(startMs + 60_000)).toBe(600);
    expect(recent.waitMs(600, startMs + 60_000)).toBe(59_900);
  });

  it('refuses no caller that keeps to the limit, with requests at least 0.1 s apart', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 600 }), fc.nat(60_000), (limit, phaseMs) => {
        const recent = new SlidingWindow();
        const paced = Array.from({ length: 2 * limit + 2 }, (_, at) =>
          Math.ceil(startMs + phaseMs + (at * 60_000) / limit),
        );
        const refused = paced.filter((nowMs) => {
          const isRefused = recent.count(nowMs) >= limit;
          recent.add(nowMs);
          return isRefused;
        });
        expect(refused).toEqual([]);
      }),
      { examples: [[600, 0]] },
    );
  });
});

describe('SlidingWindow.add', () => {
  it('counts a request as several', () => {
    const { recent, atMs } = replay([0]);

    recent.add(atMs + 1_000, 3);

    expect(recent.count(atMs + 1_000)).toBe(4);
    expect(recent.waitMs(4, atMs + 1_000)).toBe(59_000);
    expect(recent.waitMs(3, atMs + 1_000)).toBe(60_000);
  });
});

describe('SlidingWindow.waitMs', () => {
  it.each([
    ['no request was counted', 1, []],
    ['there is room for one', 4, [0, 10, 20]],
  ])('is 0 if %s', (_, limit, pausesMs) => {
    const { recent, atMs } = replay(pausesMs);

    expect(recent.waitMs(limit, atMs)).toBe(0);
  });

  it.each([
    ['the oldest', 4, 60_000],
    ['the two oldest', 3, 70_000],
    ['all of them', 1, 85_000],
  ])('waits for %s to be over', (_, limit, overMs) => {
    const { recent, atMs } = replay([0, 10_000, 5_000, 10_000]);

    expect(recent.waitMs(limit, atMs)).toBe(startMs + overMs - atMs);
  });

  it('ends at the first millisecond at which there is room', () => {
    fc.assert(
      fc.property(anyPauses, fc.nat(), fc.nat(60_000), (pausesMs, some, laterMs) => {
        const nowMs = replay(pausesMs).atMs + laterMs;
        const counted = replay(pausesMs).recent.count(nowMs);
        fc.pre(counted > 0);
        const limit = 1 + (some % counted);
        const { recent } = replay(pausesMs);

        const waitMs = recent.waitMs(limit, nowMs);

        expect(recent.count(nowMs + waitMs - 1)).toBeGreaterThanOrEqual(limit);
        expect(recent.count(nowMs + waitMs)).toBeLessThan(limit);
      }),
    );
  });
});

describe('SlidingWindow when the clock goes back', () => {
  it('keeps its count if the clock goes back by a second', () => {
    const { recent, atMs } = replay([0, 10_000]);

    expect(recent.count(atMs - 1_000)).toBe(2);
  });

  it('forgets everything beyond that, because the clock was set', () => {
    const { recent, atMs } = replay([0, 10_000]);

    expect(recent.waitMs(1, atMs - 1_001)).toBe(0);
    expect(recent.count(atMs - 1_001)).toBe(0);
  });

  it('counts new requests from the later moment on', () => {
    const { recent, atMs } = replay([0, -1_000]);

    expect(recent.count(atMs + 60_999)).toBe(2);
    expect(recent.count(atMs + 61_000)).toBe(0);
  });

  it('starts empty after the clock was set back', () => {
    const { recent, atMs } = replay([0, 50, -3_600_000, 30_000]);

    expect(recent.count(atMs + 29_999)).toBe(2);
    expect(recent.count(atMs + 30_000)).toBe(1);
    expect(recent.count(atMs + 60_000)).toBe(0);
  });

  it('still never admits more than the limit in any 60 seconds of that clock', () => {
    const back = fc.integer({ min: -1_200, max: -1 });
    const anySteps = fc.array(fc.oneof({ weight: 4, arbitrary: anyPause }, back), {
      maxLength: 120,
    });
    fc.assert(
      fc.property(anyLimit, anySteps, (limit, stepsMs) => {
        const recent = new SlidingWindow();
        const every = new EveryRequest();
        let nowMs = startMs;
        for (const stepMs of stepsMs) {
          nowMs += stepMs;
          expect(recent.count(nowMs)).toBeGreaterThanOrEqual(every.count(nowMs, 60_000));
          every.forget(nowMs);
          if (recent.count(nowMs) < limit) {
            recent.add(nowMs);
            every.add(nowMs);
          }
          expect(every.count(nowMs, 60_000)).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });
});
