import type { FastifyRequest } from 'fastify';
import type { ApiError } from './responses/api-errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a limit has counted the request: the rate limit of its key, or one of `FreeLimits`. */
    isCounted: boolean;
  }
}

type ApiKey = NonNullable<FastifyRequest['apiKey']>;

/** Limits on what no rate limit counts (contract C26a). Each counts one request, and returns the 429 if it is one too many. */
export type FreeLimits = {
  /** An answer that costs the key nothing, except a cached check. */
  readonly ofKey: (key: ApiKey) => ApiError | undefined;
  /** A cached check; returns the turn to wait for, instead of a 429. */
  readonly ofCheck: (key: ApiKey) => Promise<void> | undefined;
  /** An answer without a key, except one of a public page. */
  readonly ofAddress: (address: string | undefined) => ApiError | undefined;
  /** An answer of a public page, or to a preflight. */
  readonly ofPublicPage: (address: string | undefined) => ApiError | undefined;
};

/** A request with its key, if a working one was sent, or else its address. */
type Counted = {
  readonly apiKey: ApiKey | undefined;
  readonly ip?: string;
  isCounted: boolean;
};

/** Counts a request that ends with an error, unless it was counted before. Returns the error to answer with. */
export function limitError(error: ApiError, request: Counted, limits: FreeLimits): ApiError {
  if (request.isCounted) return error;
  request.isCounted = true;
  const { apiKey, ip } = request;
  const excess = apiKey === undefined ? limits.ofAddress(ip) : limits.ofKey(apiKey);
  // The rate limit admits the next request after its own time, and after that it is not free.
  return excess === undefined || error.code === 'rateLimited' ? error : excess;
}

/** Counts a request that is answered without a look at its key; returns the 429 if it is one too many. */
export function countPublic(
  request: Pick<Counted, 'ip' | 'isCounted'>,
  limits: Pick<FreeLimits, 'ofPublicPage'>,
): ApiError | undefined {
  request.isCounted = true;
  return limits.ofPublicPage(request.ip);
}

/** Counts a request whose answer costs its key nothing, or throws the 429. */
export function countFree(request: Counted, limits: FreeLimits): void {
  request.isCounted = true;
  const excess = request.apiKey && limits.ofKey(request.apiKey);
  if (excess !== undefined) throw excess;
}
