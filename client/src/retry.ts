import {
  ApiStatusError,
  NetworkError,
  RateLimitedError,
  RegistryUnavailableError,
  ServiceUnavailableError,
  TimeoutError,
} from './errors.ts';

/**
 * What is repeated by itself:
 *
 * - Only GET. Whatever creates or changes something is sent once: after an error nobody knows whether it was done.
 * - After no answer (network, timeout of an attempt), a 5xx of the service or of a proxy, 408, 429 `RATE_LIMITED`,
 *   and a registry that is unavailable. Not after 502 of a VAT check (the service has asked again already), not
 *   after `QUOTA_EXCEEDED`, and not after any answer that would be the same again.
 * - After `Retry-After`, where the answer has it; else after 0.25 s, 0.5 s, 1 s and so on up to 4 s, each less up
 *   to a half at random, so that many callers do not come back at once.
 * - At most `attempts` requests, and only while the wait ends within the time for the whole call. Where it does not,
 *   the error comes at once, and says in `retryAfterSeconds` when to come back.
 */
export type RetryOptions = {
  /** Requests in all, the first included; 1 repeats nothing. 3 without it. */
  readonly attempts?: number | undefined;
  /** The wait after the first; doubles with each. 250 without it. */
  readonly firstDelayMs?: number | undefined;
};

const attemptsDefault = 3;
const firstDelayDefaultMs = 250;
const delayMaxMs = 4_000;

/** How long to wait before the next attempt; undefined when there is to be none. */
export function retryDelayMs(
  error: unknown,
  attemptsMade: number,
  { attempts = attemptsDefault, firstDelayMs = firstDelayDefaultMs }: RetryOptions,
): number | undefined {
  if (attemptsMade >= attempts || !isWorthRepeating(error)) return undefined;
  if (error instanceof ApiStatusError && error.retryAfterSeconds !== undefined) {
    return error.retryAfterSeconds * 1_000;
  }
  const wholeMs = Math.min(firstDelayMs * 2 ** (attemptsMade - 1), delayMaxMs);
  return wholeMs * (1 - Math.random() / 2);
}

/** Whether another moment may bring another answer. */
export function isWorthRepeating(error: unknown): error is Error {
  if (error instanceof TimeoutError) return error.scope === 'attempt';
  return (
    error instanceof NetworkError ||
    error instanceof RateLimitedError ||
    error instanceof RegistryUnavailableError ||
    error instanceof ServiceUnavailableError
  );
}
