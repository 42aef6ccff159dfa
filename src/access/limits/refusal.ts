import { type Cost, costOf } from '../../platform/request-cost.ts';
import type { Month } from '../utc-month.ts';
import type { Limits } from './key-limits.ts';
import type { LimitState } from './limit-state.ts';
import { windowSeconds } from './sliding-window.ts';

/** The reason why a request is refused, in the terms of the answer's headers. */
export type Refusal = {
  readonly kind: 'rateLimited' | 'quotaExceeded';
  /** Names the limit in the headers. */
  readonly policy: 'rate-limit' | 'quota' | 'failed-authentication';
  readonly limit: number;
  readonly windowSeconds: number;
  /** Until one request would be admitted; at least 1. */
  readonly retryAfterSeconds: number;
};

/**
 * The reason why a request that comes now is refused; undefined if it is admitted (contract C3: first the rate
 * limit, then the quota). A request is admitted only if its whole cost fits.
 *
 * With several `replicas` this one admits its share: each of its own requests counts as if every replica had
 * admitted one. The share of a limit that is smaller than the number of replicas is one request.
 */
export function findRefusal(
  state: Pick<LimitState, 'recent' | 'month' | 'usedInMonth' | 'admittedAlone'>,
  { rateLimit, quota }: Limits,
  {
    nowMs,
    cost,
    replicas = 1,
  }: { readonly nowMs: number; readonly cost: Cost; readonly replicas?: number },
): Refusal | undefined {
  const { recent, month, usedInMonth, admittedAlone } = state;
  const { rateLimit: ofRate, quota: ofQuota } = costOf(cost);
  const isRateJudged = rateLimit !== 'none' && ofRate > 0;
  if (isRateJudged && recent.count(nowMs) * replicas + ofRate > rateLimit) {
    // A request that costs more than the whole limit never fits; its wait is that for an empty minute.
    const room = Math.max(1, Math.floor((rateLimit - ofRate) / replicas) + 1);
    return refuseRate(rateLimit, recent.waitMs(room, nowMs));
  }
  const byOthers = admittedAlone * (replicas - 1);
  if (quota !== 'none' && ofQuota > 0 && usedInMonth + byOthers + ofQuota > quota) {
    return refuseQuota(quota, month, nowMs);
  }
  return undefined;
}

/** Refuses for a limit of requests in any 60 seconds; `waitMs` is the time until a request would be admitted. */
export function refuseRate(
  limit: number,
  waitMs: number,
  policy: 'rate-limit' | 'failed-authentication' = 'rate-limit',
): Refusal {
  const retryAfterSeconds = toWholeSeconds(waitMs);
  return { kind: 'rateLimited', policy, limit, windowSeconds, retryAfterSeconds };
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
