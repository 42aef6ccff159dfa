import { parseRequestLimit, type RequestLimit } from '../../platform/request-limit.ts';
import { type SlidingWindow, windowSeconds } from './sliding-window.ts';

/** What a key is given as its own; `default` is whatever the service is set to (contract C26). */
export type OwnLimit = RequestLimit | 'default';

/** Reads an own limit; undefined for a text that is none. */
export function parseOwnLimit(text: string): OwnLimit | undefined {
  return text === 'default' ? text : parseRequestLimit(text);
}

/** What a caller may do, and has done. */
export type Allowance = {
  readonly rateLimit: RequestLimit;
  readonly recent: SlidingWindow;
  readonly quota: RequestLimit;
  /** Requests charged this month (UTC). */
  readonly usedInMonth: number;
  readonly month: Month;
};

/** Where a key stands, as it is told to its caller. */
export type Standing = {
  readonly nowMs: number;
  readonly rateLimit: RequestLimit;
  readonly usedInMinute: number;
  /** A minute that slides has no end of its own: it is when nothing counts any more. */
  readonly minuteEndsMs: number;
  readonly quota: RequestLimit;
  /** Requests charged this month (UTC). */
  readonly usedInMonth: number;
  readonly month: Month;
};

/** A calendar month in UTC, as moments. */
export type Month = { readonly startsMs: number; readonly endsMs: number };

/** Why a request is refused, in the terms of the answer's headers. */
export type Refusal = {
  readonly kind: 'rateLimited' | 'quotaExceeded';
  /** Names the limit in the headers. */
  readonly policy: 'rate-limit' | 'quota' | 'failed-authentication';
  readonly limit: number;
  readonly windowSeconds: number;
  /** Until one request would be let through; at least 1. */
  readonly retryAfterSeconds: number;
};

/**
 * Why a request that comes now is refused; undefined when it is not (contract C3: first the rate limit,
 * then the quota). It counts as so many requests as it costs, and all of them have to fit.
 */
export function findRefusal(allowance: Allowance, nowMs: number, cost = 1): Refusal | undefined {
  const { rateLimit, quota, recent, month } = allowance;
  if (rateLimit !== 'none' && recent.count(nowMs) + cost > rateLimit) {
    return refuseRate(rateLimit, recent.waitMs(roomFor(cost, rateLimit), nowMs));
  }
  if (quota !== 'none' && allowance.usedInMonth + cost > quota) {
    return refuseQuota(quota, month, nowMs);
  }
  return undefined;
}

/**
 * The number of requests in the minute below which another one fits that counts as `cost`. A request that costs
 * more than the whole limit never fits: it waits for an empty minute.
 */
export function roomFor(cost: number, rateLimit: number): number {
  return Math.max(1, rateLimit - cost + 1);
}

/** Refuses for the rate limit; `waitMs` is when a request would be let through. */
export function refuseRate(limit: number, waitMs: number): Refusal {
  return {
    kind: 'rateLimited',
    policy: 'rate-limit',
    limit,
    windowSeconds,
    retryAfterSeconds: toWholeSeconds(waitMs),
  };
}

/** Refuses for the quota, until the month ends. */
export function refuseQuota(limit: number, month: Month, nowMs: number): Refusal {
  return {
    kind: 'quotaExceeded',
    policy: 'quota',
    limit,
    windowSeconds: (month.endsMs - month.startsMs) / 1_000,
    retryAfterSeconds: toWholeSeconds(month.endsMs - nowMs),
  };
}

/** Up, so that whoever waits this long is not too early by a part of a second. */
export function toWholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}

/**
 * The headers of a 429: `Retry-After`, and which limit was reached in the words of the IETF's draft
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
