import { systemTimers, type Timers } from './timers.ts';
import { unlessAborted } from './unless-aborted.ts';

/** `work` took longer than it was given. */
export class NotDoneInTime extends Error {
  override readonly name = 'NotDoneInTime';
}

/**
 * Settles like `work`, or rejects with `NotDoneInTime` after so many milliseconds. Leaves no timer behind.
 *
 * Only the waiting ends: `work` goes on, and its later result or error is ignored.
 */
export async function withTimeout<T>(
  ms: number,
  work: Promise<T>,
  timers: Timers = systemTimers,
): Promise<T> {
  const overdue = new AbortController();
  const cancel = timers.after(ms, () =>
    overdue.abort(new NotDoneInTime(`not done within ${ms} ms`)),
  );
  try {
    return await unlessAborted(overdue.signal, work);
  } finally {
    cancel();
  }
}

/** As `withTimeout`, but resolves with undefined if the time is over. */
export async function resultWithin<T>(
  ms: number,
  work: Promise<T>,
  timers?: Timers,
): Promise<T | undefined> {
  try {
    return await withTimeout(ms, work, timers);
  } catch (error) {
    if (error instanceof NotDoneInTime) return undefined;
    throw error;
  }
}
