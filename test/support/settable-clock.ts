import type { Clock } from '../../src/platform/time/time.ts';

/** Time that stands still until a test moves it. */
export class SettableClock implements Clock {
  #nowMs: number;

  constructor(moment: string) {
    this.#nowMs = Date.parse(moment);
  }

  now(): number {
    return this.#nowMs;
  }

  set(moment: string): void {
    this.#nowMs = Date.parse(moment);
  }

  advance(ms: number): void {
    this.#nowMs += ms;
  }
}
