import type { Log } from './log.ts';

/** Logs the first of several failures in a row, so that an outage is one line and not one for each attempt. */
export class FailureLog {
  readonly #log: Log;
  readonly #message: string;
  #isFailing = false;

  constructor(log: Log, message: string) {
    this.#log = log;
    this.#message = message;
  }

  failed(error: unknown, fields: object = {}): void {
    if (!this.#isFailing) this.#log.error({ err: error, ...fields }, this.#message);
    this.#isFailing = true;
  }

  succeeded(): void {
    this.#isFailing = false;
  }
}
