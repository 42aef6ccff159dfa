/** The two parts of a simulated day: while its jobs run, and the rest. */
export type During = 'job' | 'rest';

export type Waited = { readonly p99Ms: number; readonly maxMs: number };
/** Waits for the event loop: in wall-clock time, and in CPU time of its own thread. */
export type LoopWaits = Readonly<Record<During, Readonly<Record<'wall' | 'own', Waited>>>>;

/** Longer waits count as waits of this length. */
const longestMs = 2_000;

/**
 * The distribution of the time that requests wait for the event loop, if requests arrive at random moments.
 *
 * A block of 80 ms is one long gap between two readings of the clock. A request at its beginning waits 80 ms, one at its
 * end almost nothing. Each millisecond of a gap therefore counts as one request. If each gap counted once, a block
 * would be lost among hundreds of short gaps.
 */
export class Waits {
  readonly #counts = new Uint32Array(longestMs + 1);
  #maxMs = 0;

  /** Adds the time between two readings of the clock. */
  addGap(gapMs: number): void {
    for (let waitMs = Math.floor(gapMs); waitMs >= 0; waitMs -= 1) {
      const at = Math.min(waitMs, longestMs);
      this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    }
    this.#maxMs = Math.max(this.#maxMs, gapMs);
  }

  /** The longest wait, and the one that 99 % of requests do not exceed, in whole milliseconds. */
  describe(): Waited {
    let left = this.#counts.reduce((sum, count) => sum + count, 0) * 0.99;
    const p99Ms = this.#counts.findIndex((count) => (left -= count) <= 0);
    return { p99Ms, maxMs: Math.round(this.#maxMs) };
  }
}

type Both = Readonly<Record<'wall' | 'own', Waits>>;

/**
 * Reads two clocks every millisecond: wall-clock time, and the CPU time of the thread. The waits during the daily job are
 * counted apart from those in the rest of the day.
 *
 * If other processes use the cores, the system interrupts a thread in the middle of its work. Wall-clock time then
 * includes those processes; CPU time does not.
 */
export class LoopWatch {
  readonly #waits = { job: makeWaits(), rest: makeWaits() };
  #during: During = 'rest';
  #last = readClocks();
  readonly #timer = setInterval(() => {
    const before = this.#last;
    this.skip();
    for (const clock of ['wall', 'own'] as const) {
      this.#waits[this.#during][clock].addGap(this.#last[clock] - before[clock]);
    }
  }, 1).unref();

  turnTo(during: During): void {
    this.#during = during;
  }

  /** Leaves out the time since the last reading, in which the probe itself blocked the loop. */
  skip(): void {
    this.#last = readClocks();
  }

  describe(): LoopWaits {
    const both = ({ wall, own }: Both) => ({ wall: wall.describe(), own: own.describe() });
    return { job: both(this.#waits.job), rest: both(this.#waits.rest) };
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

function makeWaits(): Both {
  return { wall: new Waits(), own: new Waits() };
}

function readClocks(): Readonly<Record<'wall' | 'own', number>> {
  const { user, system } = process.threadCpuUsage();
  return { wall: performance.now(), own: (user + system) / 1_000 };
}
