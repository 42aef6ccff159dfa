import { SlidingWindow } from './sliding-window.ts';

/** A process's knowledge of the requests of one key that Redis has not counted. */
export class RedisSyncState {
  /** The generation of Redis's data that this process has reported to. */
  #generation = '';
  /** Requests of the last minute that were admitted without Redis and are not reported to it. */
  #unreported: SlidingWindow | undefined;

  /** Adds requests that were admitted without Redis, or whose report Redis did not answer. */
  addUnreported(nowMs: number, requests: number): void {
    if (requests === 0) return;
    this.#unreported ??= new SlidingWindow();
    this.#unreported.add(nowMs, requests);
  }

  /**
   * Takes the requests of the last minute that are to be reported to Redis: the unreported ones, or all of
   * `recent` if Redis has lost its data since the last report.
   */
  takeReport(generation: string, recent: SlidingWindow, nowMs: number): number {
    const reported = generation === this.#generation ? this.#unreported : recent;
    this.#generation = generation;
    this.#unreported = undefined;
    return reported?.count(nowMs) ?? 0;
  }
}
