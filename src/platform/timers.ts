import { unlessAborted } from './unless-aborted.ts';

/** Elapsed time and its timers. Everything with a deadline receives one of these, so that tests can move time. */
export interface Timers {
  /** Milliseconds since a moment in the past; unlike a wall clock it never goes back. */
  now(): number;
  /** Calls `run` once after so many milliseconds, never before `after` has returned; the result cancels that. */
  after(ms: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.max(0, Math.ceil(ms)));
    return () => clearTimeout(timer);
  },
};

/** Waits so many milliseconds, or until the signal is aborted if that is earlier. */
export async function pause(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = timers.after(ms, resolve);
  await unlessAborted(signal, promise).catch(() => {});
  cancel();
}
