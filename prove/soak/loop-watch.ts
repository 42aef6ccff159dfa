import { Waits } from './waits.ts';

/** What the event loop is watched for. */
export type During = 'job' | 'rest';

/** How long whoever comes waits for the event loop, and for how much of that its thread was at work. */
export type LoopWaits = Readonly<Record<During, { readonly wall: Waited; readonly own: Waited }>>;
export type Waited = { readonly p99Ms: number; readonly maxMs: number };

/**
 * Looks at the clocks every millisecond, and keeps apart what is waited in the daily job and beside it.
 *
 * There are two: that on the wall, and that of the thread's work. Where others use the cores as well, a thread is put
 * aside in the middle of its work for as long as they need, which says nothing about the work.
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

  /** Forgets what was seen so far. */
  restart(): void {
    this.#watches = makeWatches();
    this.skip();
  }

  /** What has just stopped the loop is not the product's. */
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

/** For how long this thread has been at work. */
function readOwnMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function describe(waits: Waits): Waited {
  return { p99Ms: waits.quantile(0.99), maxMs: Math.round(waits.maxMs) };
}
