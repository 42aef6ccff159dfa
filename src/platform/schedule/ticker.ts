import type { Log } from '../log.ts';

/**
 * Asks "is something due?" again and again, one question at a time.
 *
 * A timetable of alarms would have to survive suspended laptops, clock changes and daylight saving; a
 * question that is asked every few seconds and answered from the clock and the database needs none of
 * that, and a missed alarm does not exist.
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

  /** Asks at once, then a while after each answer. */
  start(): void {
    this.#running = this.#tick()
      .catch((error: unknown) => this.#log.error({ err: error }, 'tick failed'))
      .then(() => {
        if (!this.#stopped) this.#timer = setTimeout(() => this.start(), this.#intervalMs);
      });
  }

  /** Asks no more, and resolves when the question under way is answered. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }
}
