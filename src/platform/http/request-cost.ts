/**
 * How much a request counts: as this many requests against rate limit and quota, or as different numbers against each
 * (rule K10).
 */
export type Cost = number | { readonly rateLimit: number; readonly quota: number };

/** A request that counts against the rate limit only. */
export const rateOnly: Cost = { rateLimit: 1, quota: 0 };

/** Rows of a body that count as one request against the rate limit. */
const rowsPerRequest = 10;

/** The cost of the rows of a body: one request for each ten rows begun, of which the request itself is the first. */
export function costOfRows(rows: number): Cost {
  return { rateLimit: Math.max(0, Math.ceil(rows / rowsPerRequest) - 1), quota: 0 };
}

/** `requests` queries of the registry, which count against the quota only: the request itself counts against the rate limit. */
export function quotaOnly(requests: number): Cost {
  return { rateLimit: 0, quota: requests };
}

/** The number of requests for each limit. */
export function costOf(cost: Cost): { readonly rateLimit: number; readonly quota: number } {
  return typeof cost === 'number' ? { rateLimit: cost, quota: cost } : cost;
}

/** The most requests that limits could ever admit at once. */
export type MostRequests = { readonly rateLimit: RequestLimit; readonly quota: RequestLimit };

/** Whether so many requests are more than a limit could ever admit. */
export function isBeyond(requests: number, most: RequestLimit): boolean {
  return most !== 'none' && requests > most;
}

/** A number of requests, or `none` for no limit. */
export type RequestLimit = number | 'none';

/** The largest limit: more requests than a minute or a month can have. */
export const requestLimitMax = 1_000_000_000;

/** Reads `none` or a whole number from 1 to the most; undefined for everything else. */
export function parseRequestLimit(text: string): RequestLimit | undefined {
  if (text === 'none') return text;
  const value = Number(text);
  return /^[1-9][0-9]{0,9}$/.test(text) && value <= requestLimitMax ? value : undefined;
}
