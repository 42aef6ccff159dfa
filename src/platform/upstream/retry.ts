import { pause, systemTimers } from '../time/timers.ts';
import { UpstreamError } from './upstream-error.ts';

export type RetryPolicy = {
  /** Calls in all, the first included. */
  readonly attempts: number;
  /** About the wait before the second call; it doubles from there, with jitter. */
  readonly firstDelayMs: number;
};

/** For the daily jobs: three calls within about a minute; the hourly catch-up does the rest. */
export const jobRetryPolicy: RetryPolicy = { attempts: 3, firstDelayMs: 3_000 };

/**
 * Repeats a call to an upstream while it fails in a way that may pass by itself. Throws the last failure; an abort
 * ends the wait before the next call, with the failure before it.
 */
export async function withRetry<T>(
  policy: RetryPolicy,
  signal: AbortSignal,
  call: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const mayPass = error instanceof UpstreamError && !error.isPermanent;
      if (!mayPass || attempt >= policy.attempts) throw error;
      await pause(systemTimers, delayMs(policy, attempt), signal);
      if (signal.aborted) throw error;
    }
  }
}

/** The wait after a failed attempt: ±50 %, so that replicas do not call together. */
function delayMs({ firstDelayMs }: RetryPolicy, attempt: number): number {
  const doubled = firstDelayMs * 2 ** (attempt - 1);
  return Math.min(doubled, firstDelayMs * 10) * (0.5 + Math.random());
}
