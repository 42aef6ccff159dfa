import { setImmediate } from 'node:timers/promises';
import { FailureLog, type Log } from '../log/log.ts';
import { pause, systemTimers, type Timers } from '../time/timers.ts';

/** Work that is done again and again; resolves with the milliseconds until the next time, or nothing for the interval. */
type Tick = () => Promise<number | void>;

type TickerParts = {
  /** Time from the end of a tick, also of one that failed, to the next. */
  readonly intervalMs: number;
  readonly log: Log;
  /** The message for the log if ticks fail. */
  readonly failure: string;
  readonly timers?: Timers;
};

/**
 * Polls: runs `tick` every few seconds, one at a time.
 *
 * There is no cron: timers for moments in the future would have to survive suspended machines, clock changes and
 * daylight saving. A tick decides from the clock and the database whether something is due, so none can be missed.
 */
export class Ticker {
  readonly #tick: Tick;
  readonly #intervalMs: number;
  readonly #timers: Timers;
  readonly #failures: FailureLog;
  #alarm = new AbortController();
  #isStopping = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(tick: Tick, { intervalMs, log, failure, timers = systemTimers }: TickerParts) {
    this.#tick = tick;
    this.#intervalMs = intervalMs;
    this.#timers = timers;
    this.#failures = new FailureLog(log, failure);
  }

  /** Whether `stop` was called; a tick that does several things then begins nothing more. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Ticks immediately, and then until it is stopped. */
  start(): void {
    this.#loop = this.#run();
  }

  /** Ends the present interval; a tick under way is followed by another one without an interval. */
  wake(): void {
    this.#alarm.abort();
  }

  /** Stops ticking, and resolves when the tick under way has ended. May be called more than once. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.wake();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#alarm = new AbortController();
      const waitMs = await this.#tryTick();
      if (waitMs > 0) await pause(this.#timers, waitMs, this.#alarm.signal);
      // On SQLite a statement blocks the event loop, and promises alone do not let other work run.
      else await setImmediate();
    }
  }

  async #tryTick(): Promise<number> {
    try {
      const waitMs = await this.#tick();
      this.#failures.succeeded();
      return waitMs ?? this.#intervalMs;
    } catch (error) {
      this.#failures.failed(error);
      return this.#intervalMs;
    }
  }
}
