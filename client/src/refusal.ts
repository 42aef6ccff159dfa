import {
  ApiStatusError,
  ConflictError,
  CursorExpiredError,
  InvalidInputError,
  InvalidKeyError,
  NotFoundError,
  QuotaExceededError,
  RateLimitedError,
  type Refusal,
  RegistryFailedError,
  type RegistryPart,
  RegistryUnavailableError,
  RequesterNotAllowedError,
  ScopeMissingError,
  ServiceUnavailableError,
} from './errors.ts';

/** A complete HTTP answer. */
export type Received = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
};

const registryParts: Readonly<Record<string, RegistryPart>> = {
  MS_UNAVAILABLE: 'memberState',
  SERVICE_UNAVAILABLE: 'service',
  TIMEOUT: 'timeout',
};

/** Converts an answer with an error status to the error that the caller gets (interface 7, contract C2). */
export function toStatusError(received: Received): ApiStatusError {
  const { status, headers } = received;
  const error = readError(received);
  const refusal: Refusal = {
    status,
    code: error ?? 'no error text',
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: readRetryAfter(headers.get('retry-after'), Date.now()),
    hint: headers.get('vatfx-hint') ?? readFault(headers.get('www-authenticate')),
  };
  if (status === 401) return new InvalidKeyError(refusal);
  if (status === 403 && error === 'requester not allowed')
    return new RequesterNotAllowedError(refusal);
  if (status === 403) return new ScopeMissingError(refusal);
  if (status === 404) return new NotFoundError(refusal, readNeighbours(headers.get('link')));
  if (status === 409) return new ConflictError(refusal);
  if (status === 410 && error === 'cursor expired')
    return new CursorExpiredError(refusal, readFirstCursor(headers.get('link')));
  if (status === 429 && error === 'QUOTA_EXCEEDED') return new QuotaExceededError(refusal);
  if (status === 429) return new RateLimitedError(refusal);
  // 413, 414 and 431 mean that a part of the request is too long.
  if ([400, 413, 414, 415, 422, 431].includes(status)) return new InvalidInputError(refusal);
  if (status === 408 || status >= 500) return toOutageError(refusal, error);
  return new ApiStatusError(refusal);
}

/** The sentence in `Bearer realm="vatfx", error="invalid_request", error_description="…"` (RFC 6750 §3). */
function readFault(challenge: string | null): string | undefined {
  return /\berror_description="([^"]*)"/.exec(challenge ?? '')?.[1];
}

/** Finds by the error text whether a registry or the service is unavailable, because proxies answer 502 and 503 too. */
function toOutageError(refusal: Refusal, error: string | undefined): ApiStatusError {
  const { status } = refusal;
  const part =
    status === 503 && error !== undefined && Object.hasOwn(registryParts, error)
      ? registryParts[error]
      : undefined;
  if (part !== undefined) return new RegistryUnavailableError(refusal, part);
  // All texts of the service's own 502 begin like this (contract C22).
  if (status === 502 && error?.startsWith('the registry ') === true) {
    return new RegistryFailedError(refusal);
  }
  return new ServiceUnavailableError(refusal);
}

function readError({ text }: Received): string | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

/** Reads `Retry-After`, a number of seconds or a date (RFC 9110 §10.2.3), as seconds. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^[0-9]{1,9}$/.test(header)) return Number(header);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
}

/** Reads the dates in `</fx/2026-11-20>; rel="prev", </fx/2026-11-23>; rel="next"` (contract C10). */
function readNeighbours(link: string | null): { previousDate?: string; nextDate?: string } {
  const found: { previousDate?: string; nextDate?: string } = {};
  for (const [, date = '', rel] of (link ?? '').matchAll(
    /\/(\d{4}-\d\d-\d\d)>\s*;\s*rel="(prev|next)"/g,
  )) {
    if (rel === 'prev') found.previousDate = date;
    else found.nextDate = date;
  }
  return found;
}

/** Reads the cursor in `</events?after=…>; rel="first"` (rule E5). */
function readFirstCursor(link: string | null): string | undefined {
  return /<[^>]*[?&]after=([\w-]+)[^>]*>\s*;\s*rel="first"/.exec(link ?? '')?.[1];
}
