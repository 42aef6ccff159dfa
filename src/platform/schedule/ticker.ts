import type { Log } from '../log.ts';

/**
 * Polls: runs `tick` every few seconds, one at a time.
 *
 * There is no cron: timers for moments in the future would have to survive suspended machines, clock changes and
 * daylight saving. A tick decides from the clock and the database whether a job is due, so none can be missed.
 */
export class Ticker {
  readonly #tick: () => Promise<void>;
  readonly #intervalMs: number;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(
    tick: () => Promise<void>,
    parts: { readonly intervalMs: number; readonly log: Log },
  ) {
    this.#tick = tick;
    this.#intervalMs = parts.intervalMs;
    this.#log = parts.log;
  }

  /** Ticks immediately, then an interval after the end of each tick. */
  start(): void {
    this.#running = this.#tick()
      .catch((error: unknown) => this.#log.error({ err: error }, 'tick failed'))
      .then(() => {
        if (!this.#stopped) this.#timer = setTimeout(() => this.start(), this.#intervalMs);
      });
  }

  /** Stops ticking, and resolves when the tick under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }
}
