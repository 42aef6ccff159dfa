/**
 * Everything that the client throws, one class for each thing that a caller can act on.
 *
 * `name` is a literal, so that a check by name survives two copies of this package in one program.
 */

/** What all errors of the client have in common. */
export abstract class VatfxError extends Error {
  abstract override readonly name: string;
}

/** What a refusal of the service says. */
export type Refusal = {
  readonly status: number;
  /** The `error` of the answer; the status in words where it has none, as with a proxy's own page. */
  readonly code: string;
  /** `X-Request-Id`, for the operator's log; undefined where the answer has none. */
  readonly requestId: string | undefined;
  /** `Retry-After` in seconds; undefined where the answer has none. */
  readonly retryAfterSeconds: number | undefined;
};

/** The service answered, and the answer is no. The classes below say what it means. */
export class ApiStatusError extends VatfxError implements Refusal {
  override readonly name: string = 'ApiStatusError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(refusal: Refusal) {
    super(`${refusal.status} ${refusal.code}`);
    this.status = refusal.status;
    this.code = refusal.code;
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
  }
}

/** 401: the key is missing, malformed, unknown, expired or revoked. Asking again does not help. */
export class InvalidKeyError extends ApiStatusError {
  override readonly name = 'InvalidKeyError';
}

/** 403: the key lacks a scope. An operator can give it with `vatfx keys change`; asking again does not help. */
export class ScopeMissingError extends ApiStatusError {
  override readonly name = 'ScopeMissingError';
  /** The scope, such as `webhooks`; undefined if the answer names none, as a proxy's own 403. */
  readonly scope: string | undefined;

  constructor(refusal: Refusal) {
    super(refusal);
    this.scope = /^scope missing: (\w+)$/.exec(refusal.code)?.[1];
  }
}

/** 429 `RATE_LIMITED`: too many requests in the last minute, or replays in the last hour; one passes in `retryAfterSeconds`. */
export class RateLimitedError extends ApiStatusError {
  override readonly name = 'RateLimitedError';
}

/** 429 `QUOTA_EXCEEDED`: the month's requests are used up; the next month begins in `retryAfterSeconds`. */
export class QuotaExceededError extends ApiStatusError {
  override readonly name = 'QuotaExceededError';
}

/** 404: no data for this date, no data at all yet, or no such subscription or delivery. */
export class NotFoundError extends ApiStatusError {
  override readonly name = 'NotFoundError';
  /** The nearest earlier date that there is; undefined where there is none. */
  readonly previousDate: string | undefined;
  /** The nearest later date that there is; undefined where there is none. */
  readonly nextDate: string | undefined;

  constructor(
    refusal: Refusal,
    neighbours: {
      readonly previousDate?: string | undefined;
      readonly nextDate?: string | undefined;
    },
  ) {
    super(refusal);
    this.previousDate = neighbours.previousDate;
    this.nextDate = neighbours.nextDate;
  }
}

/**
 * 400 and 422: what was sent is malformed. For a VAT number: the registry does not take its form.
 *
 * What would not even reach the route that it is meant for is refused here, in the same words and without a
 * request; `requestId` is undefined then.
 */
export class InvalidInputError extends ApiStatusError {
  override readonly name = 'InvalidInputError';
  /** The parameter or field, where the service names it. */
  readonly field: string | undefined;
  /** What it expected instead, where it says so: `YYYY-MM-DD`. */
  readonly expected: string | undefined;

  constructor(refusal: Refusal) {
    super(refusal);
    const said = /^invalid '([^']*)' — expected (.*)$/s.exec(refusal.code);
    this.field = said?.[1];
    this.expected = said?.[2];
  }
}

/** 409: the key has as many subscriptions as it may, or the subscription is disabled. */
export class ConflictError extends ApiStatusError {
  override readonly name = 'ConflictError';
}

/** Who did not answer: the Member State's registry, the service in front of all of them, or nobody in time. */
export type RegistryPart = 'memberState' | 'service' | 'timeout';

/** 503 on a VAT check: nothing is known about the number. Never take it for "not registered". */
export class RegistryUnavailableError extends ApiStatusError {
  override readonly name = 'RegistryUnavailableError';
  readonly part: RegistryPart;

  constructor(refusal: Refusal, part: RegistryPart) {
    super(refusal);
    this.part = part;
  }
}

/** 502 on a VAT check: the registry answered with what is no answer; `code` is a sentence that says how. */
export class RegistryFailedError extends ApiStatusError {
  override readonly name = 'RegistryFailedError';
}

/** Any other 5xx, or 408: the service, or a proxy in front of it, cannot answer at the moment. */
export class ServiceUnavailableError extends ApiStatusError {
  override readonly name = 'ServiceUnavailableError';
}

/** No answer arrived: no connection, a broken one, or (in a browser) a refusal by CORS. See `cause`. */
export class NetworkError extends VatfxError {
  override readonly name = 'NetworkError';
}

/** No answer arrived in time. */
export class TimeoutError extends VatfxError {
  override readonly name = 'TimeoutError';
  /** `attempt`: a single request took too long; `whole`: all of them together did. */
  readonly scope: 'attempt' | 'whole';
  readonly timeoutMs: number;

  constructor(scope: 'attempt' | 'whole', timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
    this.scope = scope;
    this.timeoutMs = timeoutMs;
  }
}

/** An answer that is not from a vatfx service: a redirect, a web page, half a document. Check the URL. */
export class UnexpectedAnswerError extends VatfxError {
  override readonly name = 'UnexpectedAnswerError';
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** The currency is not among the rates of that date. */
export class UnknownCurrencyError extends VatfxError {
  override readonly name = 'UnknownCurrencyError';
  readonly currency: string;
  readonly date: string;

  constructor(currency: string, date: string) {
    super(`no rate of ${currency} on ${date}`);
    this.currency = currency;
    this.date = date;
  }
}

/** Why a webhook is not to be trusted. */
export type SignatureProblem =
  | 'missingHeader'
  | 'malformedTimestamp'
  | 'tooOld'
  | 'inTheFuture'
  | 'noMatch'
  | 'unreadableBody';

/** A webhook that is not from the service, not for this secret, or too old. Answer 401, and read nothing of it. */
export class SignatureError extends VatfxError {
  override readonly name = 'SignatureError';
  readonly problem: SignatureProblem;

  constructor(problem: SignatureProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}
