import type { Month } from '../utc-month.ts';

/** The window of every rate limit. It begins with the first request in it (contract C26). */
export const windowSeconds = 60;

/** A limit of requests in a window of 60 seconds that is no rate limit of a key. */
type RatePolicy = 'failed-authentication' | 'free-requests' | 'public-pages';

/** The reason why a request is refused, in the terms of the answer's headers. */
export type Refusal = {
  readonly kind: 'rateLimited' | 'quotaExceeded';
  /** Names the limit in the headers. */
  readonly policy: 'rate-limit' | 'quota' | RatePolicy;
  readonly limit: number;
  readonly windowSeconds: number;
  /** Until one request would be admitted; at least 1. */
  readonly retryAfterSeconds: number;
};

/** Refuses for a limit of requests in a window; `waitMs` is the time until a request would be admitted. */
export function refuseRate(
  limit: number,
  waitMs: number,
  policy: 'rate-limit' | RatePolicy = 'rate-limit',
): Refusal {
  const retryAfterSeconds = toWholeSeconds(waitMs);
  return { kind: 'rateLimited', policy, limit, windowSeconds, retryAfterSeconds };
}

/** Refuses for the quota of a month; `waitMs` is the time until a request might be admitted. */
export function refuseQuota(limit: number, month: Month, waitMs: number): Refusal {
  return {
    kind: 'quotaExceeded',
    policy: 'quota',
    limit,
    windowSeconds: (month.endsMs - month.startsMs) / 1_000,
    retryAfterSeconds: toWholeSeconds(waitMs),
  };
}

/** Rounds up: a caller that waits this long is not early by a part of a second. */
function toWholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}

/**
 * The headers of a 429: `Retry-After`, and the limit that was reached in the words of the IETF's draft
 * (draft-ietf-httpapi-ratelimit-headers).
 *
 *     retry-after: 12
 *     ratelimit-policy: "rate-limit";q=600;w=60
 *     ratelimit: "rate-limit";r=0;t=12
 */
export function printRefusal(refusal: Refusal): Readonly<Record<string, string>> {
  const { policy, limit, windowSeconds: w, retryAfterSeconds } = refusal;
  return {
    'retry-after': String(retryAfterSeconds),
    'ratelimit-policy': `"${policy}";q=${limit};w=${w}`,
    ratelimit: `"${policy}";r=0;t=${retryAfterSeconds}`,
  };
}
