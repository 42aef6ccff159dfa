/**
 * The errors of the client: one class for each case that a caller handles differently.
 *
 * `name` is a literal, so that a comparison of names works even with two copies of this package in one program.
 */

/** The base class of all errors of the client. */
export abstract class VatfxError extends Error {
  abstract override readonly name: string;
}

/**
 * An argument that cannot be right: no request was sent for it, so there is no status. `field` is its name and
 * `expected` its form, in the words in which the service refuses a parameter. The argument itself is not quoted,
 * because it may be a key.
 */
export class InvalidArgumentError extends VatfxError {
  override readonly name = 'InvalidArgumentError';
  readonly field: string;
  readonly expected: string;

  constructor(field: string, expected: string) {
    super(`invalid '${field}' — expected ${expected}`);
    this.field = field;
    this.expected = expected;
  }
}

/** The facts of an answer with an error status. */
export type Refusal = {
  readonly status: number;
  /** The `error` field of the answer; `no error text` if it has none, for example if a proxy answered. */
  readonly code: string;
  /** `X-Request-Id`, with which the operator finds the request in the log; undefined if the answer has none. */
  readonly requestId: string | undefined;
  /** `Retry-After` in seconds; undefined if the answer has none. */
  readonly retryAfterSeconds: number | undefined;
  /**
   * Why a number is refused (422), such as `no digit`, or what is wrong with a request without a key that works (401); undefined
   * if the answer does not say it.
   */
  readonly hint?: string | undefined;
};

/** An answer with an error status. The classes below name the cases. */
export class ApiStatusError extends VatfxError implements Refusal {
  override readonly name: string = 'ApiStatusError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly hint: string | undefined;

  constructor(refusal: Refusal) {
    super(`${refusal.status} ${refusal.code}`);
    this.status = refusal.status;
    this.code = refusal.code;
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.hint = refusal.hint;
  }
}

/** 401: the key is missing, malformed, unknown, expired or revoked. Trying again does not help. */
export class InvalidKeyError extends ApiStatusError {
  override readonly name = 'InvalidKeyError';
}

/** 403: the key lacks a scope. An operator can add it with `vatfx keys change`; trying again does not help. */
export class ScopeMissingError extends ApiStatusError {
  override readonly name = 'ScopeMissingError';
  /** The scope, such as `webhooks`; undefined if the answer names none, for example if a proxy answered. */
  readonly scope: string | undefined;

  constructor(refusal: Refusal) {
    super(refusal);
    this.scope = /^scope missing: (\w+)$/.exec(refusal.code)?.[1];
  }
}

/** 403 `requester not allowed`: the key has a requester of its own, and the check or watch names another one. */
export class RequesterNotAllowedError extends ApiStatusError {
  override readonly name = 'RequesterNotAllowedError';
}

/** 429 `RATE_LIMITED`: too many requests in a minute, or a second replay of a delivery in it. Wait `retryAfterSeconds`. */
export class RateLimitedError extends ApiStatusError {
  override readonly name = 'RateLimitedError';
}

/** 429 `QUOTA_EXCEEDED`: the requests of this month are used up; the next month begins in `retryAfterSeconds`. */
export class QuotaExceededError extends ApiStatusError {
  override readonly name = 'QuotaExceededError';
}

/** 404: no data for this date, no data at all yet, or no such subscription, delivery, check, batch or watch. */
export class NotFoundError extends ApiStatusError {
  override readonly name = 'NotFoundError';
  /** The nearest earlier date with data; undefined if there is none. */
  readonly previousDate: string | undefined;
  /** The nearest later date with data; undefined if there is none. */
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

/** 400 and 422: the request is malformed. For a VAT number: it has a form that the registry refuses. */
export class InvalidInputError extends ApiStatusError {
  override readonly name = 'InvalidInputError';
  /** The parameter or field, if the service names it. */
  readonly field: string | undefined;
  /** The expected form, such as `YYYY-MM-DD`, if the service names it. */
  readonly expected: string | undefined;
  /** The line of a malformed batch, from 1, if the service names it. */
  readonly line: number | undefined;

  constructor(refusal: Refusal) {
    super(refusal);
    const match = /^(?:line (\d+): )?(?:invalid '([^']*)' — expected (.*))?/s.exec(refusal.code);
    this.line = match?.[1] === undefined ? undefined : Number(match[1]);
    this.field = match?.[2];
    this.expected = match?.[3];
  }
}

/**
 * 409: the key has the largest allowed number of subscriptions or watches, the subscription is disabled, the idempotency
 * key came with another body, or a check is pending whose evidence is wanted. `code` says which.
 */
export class ConflictError extends ApiStatusError {
  override readonly name = 'ConflictError';
}

/**
 * 410 `cursor expired`: events after the cursor are deleted, or the service was restored from a backup that is older than
 * the cursor. Start again at `firstCursor`, and skip events whose `id` you have seen; read the data that you keep again.
 */
export class CursorExpiredError extends ApiStatusError {
  override readonly name = 'CursorExpiredError';
  /** The cursor before the oldest stored event; undefined if the answer names none. */
  readonly firstCursor: string | undefined;

  constructor(refusal: Refusal, firstCursor: string | undefined) {
    super(refusal);
    this.firstCursor = firstCursor;
  }
}

/** The cause of an outage: the registry of the Member State, VIES as a whole, or an answer that came too late. */
export type RegistryPart = 'memberState' | 'service' | 'timeout';

/** 503 on a VAT check: nothing is known about the number. Never treat it as "not registered". */
export class RegistryUnavailableError extends ApiStatusError {
  override readonly name = 'RegistryUnavailableError';
  readonly part: RegistryPart;

  constructor(refusal: Refusal, part: RegistryPart) {
    super(refusal);
    this.part = part;
  }
}

/** 502 on a VAT check: the registry's answer cannot be used; `code` is a sentence that says why. */
export class RegistryFailedError extends ApiStatusError {
  override readonly name = 'RegistryFailedError';
}

/** Any other 5xx, or 408: the service or a proxy in front of it cannot answer at the moment. */
export class ServiceUnavailableError extends ApiStatusError {
  override readonly name = 'ServiceUnavailableError';
}

/**
 * No answer arrived: no connection, a broken connection, or (in a browser) CORS forbids it. The message has the address and
 * the code of the cause, without the path; `cause` has the rest.
 */
export class NetworkError extends VatfxError {
  override readonly name = 'NetworkError';
}

/** No answer arrived in time. */
export class TimeoutError extends VatfxError {
  override readonly name = 'TimeoutError';
  /** `attempt`: one request took too long; `whole`: the call with all its attempts took too long. */
  readonly scope: 'attempt' | 'whole';
  readonly timeoutMs: number;

  constructor(scope: 'attempt' | 'whole', timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
    this.scope = scope;
    this.timeoutMs = timeoutMs;
  }
}

/** An answer that is not from a vatfx service: a redirect, a web page, an incomplete document. Check the URL. */
export class UnexpectedAnswerError extends VatfxError {
  override readonly name = 'UnexpectedAnswerError';
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/**
 * The publication of that date has no rate of the currency. For a national bank the message says in which other list of the
 * bank a rate is, if the bank publishes one; the service does not have that list.
 */
export class UnknownCurrencyError extends VatfxError {
  override readonly name = 'UnknownCurrencyError';
  readonly currency: string;
  readonly date: string;

  constructor(currency: string, date: string, otherList?: string) {
    super(`no rate of ${currency} on ${date}${otherList === undefined ? '' : `: ${otherList}`}`);
    this.currency = currency;
    this.date = date;
  }
}

/** The reason why a webhook is not trusted. */
export type SignatureProblem =
  | 'missingHeader'
  | 'malformedTimestamp'
  | 'tooOld'
  | 'inTheFuture'
  | 'noMatch'
  | 'unreadableBody';

/** A webhook that the service did not sign with this secret, or that is too old. Answer 401 and ignore its body. */
export class SignatureError extends VatfxError {
  override readonly name = 'SignatureError';
  readonly problem: SignatureProblem;

  constructor(problem: SignatureProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}
