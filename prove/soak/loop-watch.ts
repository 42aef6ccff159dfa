import { Waits } from './waits.ts';

/** The two parts of a simulated day: while its jobs run, and the rest. */
export type During = 'job' | 'rest';

/** Waits for the event loop: in wall-clock time, and in CPU time of its own thread. */
export type LoopWaits = Readonly<Record<During, { readonly wall: Waited; readonly own: Waited }>>;
export type Waited = { readonly p99Ms: number; readonly maxMs: number };

/**
 * Reads two clocks every millisecond: wall-clock time, and the CPU time of the thread. The waits during the daily job are
 * counted apart from those in the rest of the day.
 *
 * If other processes use the cores, the system interrupts a thread in the middle of its work. Wall-clock time then
 * includes those processes; CPU time does not.
 */
export class LoopWatch {
  #watches = makeWatches();
  #during: During = 'rest';
  #wallMs = performance.now();
  #ownMs = readOwnMs();
  readonly #timer = setInterval(() => {
    const [wallMs, ownMs] = [this.#wallMs, this.#ownMs];
    this.skip();
    this.#watches[this.#during].wall.addGap(this.#wallMs - wallMs);
    this.#watches[this.#during].own.addGap(this.#ownMs - ownMs);
  }, 1);

  constructor() {
    this.#timer.unref();
  }

  turnTo(during: During): void {
    this.#during = during;
  }

  /** Forgets all waits so far. */
  restart(): void {
    this.#watches = makeWatches();
    this.skip();
  }

  /** Leaves out the time since the last reading, in which the probe itself blocked the loop. */
  skip(): void {
    this.#wallMs = performance.now();
    this.#ownMs = readOwnMs();
  }

  describe(): LoopWaits {
    const { job, rest } = this.#watches;
    const both = (of: Watch) => ({ wall: describe(of.wall), own: describe(of.own) });
    return { job: both(job), rest: both(rest) };
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

type Watch = { readonly wall: Waits; readonly own: Waits };

function makeWatches(): Readonly<Record<During, Watch>> {
  const make = (): Watch => ({ wall: new Waits(), own: new Waits() });
  return { job: make(), rest: make() };
}

/** The CPU time of this thread so far. */
function readOwnMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function describe(waits: Waits): Waited {
  return { p99Ms: waits.quantile(0.99), maxMs: Math.round(waits.maxMs) };
}
