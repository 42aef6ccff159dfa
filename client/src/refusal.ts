import {
  ApiStatusError,
  ConflictError,
  InvalidInputError,
  InvalidKeyError,
  NotFoundError,
  QuotaExceededError,
  RateLimitedError,
  type Refusal,
  RegistryFailedError,
  type RegistryPart,
  RegistryUnavailableError,
  ScopeMissingError,
  ServiceUnavailableError,
} from './errors.ts';

/** An answer as it was received, read to its end. */
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

/** Turns an answer that is no success into the error that says what to do (interface 7, contract C2). */
export function toStatusError(received: Received): ApiStatusError {
  const { status, headers } = received;
  const said = readError(received);
  const refusal: Refusal = {
    status,
    code: said ?? 'no words',
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: readRetryAfter(headers.get('retry-after'), Date.now()),
  };
  if (status === 401) return new InvalidKeyError(refusal);
  if (status === 403) return new ScopeMissingError(refusal);
  if (status === 404) return new NotFoundError(refusal, readNeighbours(headers.get('link')));
  if (status === 409) return new ConflictError(refusal);
  if (status === 429 && said === 'QUOTA_EXCEEDED') return new QuotaExceededError(refusal);
  if (status === 429) return new RateLimitedError(refusal);
  // Also what is too long: 413, 414 and 431.
  if ([400, 413, 414, 422, 431].includes(status)) return new InvalidInputError(refusal);
  if (status === 408 || status >= 500) return toUnavailable(refusal, said);
  return new ApiStatusError(refusal);
}

/** The 400 of the service for a parameter, without asking it. */
export function refuseInput(field: string, expected: string): InvalidInputError {
  const code = `invalid '${field}' — expected ${expected}`;
  return new InvalidInputError({
    status: 400,
    code,
    requestId: undefined,
    retryAfterSeconds: undefined,
  });
}

/** A gateway in front answers 502 and 503 as well, but in other words. */
function toUnavailable(refusal: Refusal, said: string | undefined): ApiStatusError {
  const { status } = refusal;
  const part =
    status === 503 && said !== undefined && Object.hasOwn(registryParts, said)
      ? registryParts[said]
      : undefined;
  if (part !== undefined) return new RegistryUnavailableError(refusal, part);
  // The only 502 of the service itself (contract C22).
  if (status === 502 && said?.startsWith('the registry ') === true) {
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

/** Seconds from `Retry-After`: a number or a date (RFC 9110 §10.2.3). */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^[0-9]{1,9}$/.test(header)) return Number(header);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
}

/** The dates in `</fx/2026-11-20>; rel="prev", </fx/2026-11-23>; rel="next"` (contract C10). */
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
