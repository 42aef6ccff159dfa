import {
  ApiStatusError,
  NetworkError,
  RateLimitedError,
  RegistryUnavailableError,
  ServiceUnavailableError,
  TimeoutError,
} from './errors.ts';

/**
 * Retries of a call:
 *
 * - Only GET is repeated, and a POST with an idempotency key. Any other request that creates or changes something is
 *   sent once, because after an error it is unknown whether the service did it.
 * - Such a request is repeated after a broken connection, a timeout of an attempt, 408, 429 `RATE_LIMITED`, a 5xx, and if a
 *   registry is unavailable. It is not repeated after `QUOTA_EXCEEDED`, after the 502 of a VAT check (the service
 *   has already queried twice), or after an answer that would be the same again.
 * - The wait is `Retry-After` if the answer has it; otherwise 0.25 s, 0.5 s, 1 s and so on up to 4 s, each
 *   shortened by up to a half at random, so that many callers do not send their next request in the same moment.
 * - There are at most `attempts` requests. If the wait would not end within the time for the whole call, the error is
 *   thrown immediately; `retryAfterSeconds` says when to try again.
 */
export type RetryOptions = {
  /** Largest number of requests, the first included. By default 3; 1 means no retry. */
  readonly attempts?: number | undefined;
  /** Wait after the first request, in ms; doubles each time. By default 250. */
  readonly firstDelayMs?: number | undefined;
};

const attemptsDefault = 3;
const firstDelayDefaultMs = 250;
const delayMaxMs = 4_000;

/** The wait before the next attempt; undefined if the call must not be repeated. */
export function retryDelayMs(
  error: unknown,
  attemptsMade: number,
  { attempts = attemptsDefault, firstDelayMs = firstDelayDefaultMs }: RetryOptions,
): number | undefined {
  if (attemptsMade >= attempts || !isWorthRepeating(error)) return undefined;
  return nextDelayMs(error, attemptsMade, { firstMs: firstDelayMs, maxMs: delayMaxMs });
}

/** The wait after a failure: `Retry-After`, or a delay that doubles with each failure and varies at random. */
export function nextDelayMs(
  error: Error,
  failures: number,
  { firstMs, maxMs }: { readonly firstMs: number; readonly maxMs: number },
): number {
  if (error instanceof ApiStatusError && error.retryAfterSeconds !== undefined) {
    return error.retryAfterSeconds * 1_000;
  }
  return Math.min(firstMs * 2 ** (failures - 1), maxMs) * (1 - Math.random() / 2);
}

/** Whether no usable answer arrived, or one that says that the service is unavailable for a while. */
export function isOutage(error: unknown): error is Error {
  return error instanceof TimeoutError || isWorthRepeating(error);
}

/** Whether the same request may succeed later. */
export function isWorthRepeating(error: unknown): error is Error {
  if (error instanceof TimeoutError) return error.scope === 'attempt';
  return (
    error instanceof NetworkError ||
    error instanceof RateLimitedError ||
    error instanceof RegistryUnavailableError ||
    error instanceof ServiceUnavailableError
  );
}
