import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { UpstreamError } from './upstream-error.ts';

export type RetryPolicy = {
  /** Calls in all, the first included. */
  readonly attempts: number;
  /** About the wait before the second call; it grows from there, with jitter. */
  readonly firstDelayMs: number;
};

/** For the daily jobs: three calls within about a minute; the hourly catch-up does the rest. */
export const jobRetryPolicy: RetryPolicy = { attempts: 3, firstDelayMs: 3_000 };

/** Repeats a call to an upstream while it fails in a way that may pass by itself. */
export async function withRetry<T>(
  policy: RetryPolicy,
  signal: AbortSignal,
  call: () => Promise<T>,
): Promise<T> {
  const backoff = new ExponentialBackoff({
    initialDelay: policy.firstDelayMs,
    maxDelay: policy.firstDelayMs * 10,
  });
  const repeating = retry(
    handleWhen((error) => error instanceof UpstreamError && !error.isPermanent),
    { maxAttempts: policy.attempts - 1, backoff },
  );
  let pausedBy: { readonly error: unknown } | undefined;
  const remembering = async (): Promise<T> => {
    pausedBy = undefined;
    return call().catch((error: unknown) => {
      pausedBy = { error };
      throw error;
    });
  };
  // The library pauses to the end after an abort, and a stop would wait with it.
  const stopped = Promise.withResolvers<never>();
  const onAbort = (): void => {
    if (pausedBy !== undefined) stopped.reject(pausedBy.error);
  };
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([repeating.execute(remembering, signal), stopped.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
