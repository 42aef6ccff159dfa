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

/**
 * Settles like `work`, or rejects with the signal's reason if the signal is aborted first. Leaves no listener behind.
 *
 * Only the waiting ends: `work` goes on, and its later result or error is ignored. For work that does not watch a
 * signal itself, or watches it too late: undici does so only once a request has its connection.
 */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

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
