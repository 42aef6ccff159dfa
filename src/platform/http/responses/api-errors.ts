import type { Scope } from '../scope.ts';

/**
 * Every error that a request can end with: status and text of interface 7 and contract C2 to C5.
 *
 * The texts are part of the contract, byte for byte, the em dash included.
 */
const registry = {
  invalidField: [400, 'invalid'],
  unknownParameter: [400, 'unknown parameter'],
  unknownField: [400, 'unknown field'],
  invalidJson: [400, 'invalid JSON body'],
  badRequest: [400, 'bad request'],
  invalidKey: [401, 'INVALID_KEY'],
  readScopeMissing: [403, 'scope missing: read'],
  checksScopeMissing: [403, 'scope missing: checks'],
  webhooksScopeMissing: [403, 'scope missing: webhooks'],
  requesterNotAllowed: [403, 'requester not allowed'],
  notFound: [404, 'not found'],
  noRatesYet: [404, 'no data yet'],
  snapshotNotFound: [404, 'snapshot not found'],
  noCategories: [404, 'no categories for this date'],
  noFxYet: [404, 'no fx data yet'],
  fxSnapshotNotFound: [404, 'fx snapshot not found'],
  fxRateNotPublished: [404, 'fx rate not published yet'],
  fxBankNotEnabled: [404, 'fx bank not enabled'],
  fxNotDecidable: [404, 'not decidable'],
  methodNotAllowed: [405, 'method not allowed'],
  requestTimeout: [408, 'request timeout'],
  subscriptionLimit: [409, 'subscription limit reached'],
  subscriptionDisabled: [409, 'subscription is disabled'],
  watchLimit: [409, 'watch limit reached'],
  idempotencyKeyReused: [409, 'idempotency key reused'],
  checkPending: [409, 'check is pending'],
  cursorExpired: [410, 'cursor expired'],
  bodyTooLarge: [413, 'body too large'],
  tooManyChecks: [413, 'too many checks — at most 1000'],
  batchTooLarge: [413, 'batch too large'],
  urlTooLong: [414, 'URL too long'],
  unsupportedCharset: [415, 'unsupported charset — expected UTF-8'],
  expectationFailed: [417, 'expectation failed'],
  invalidInput: [422, 'INVALID_INPUT'],
  rateLimited: [429, 'RATE_LIMITED'],
  quotaExceeded: [429, 'QUOTA_EXCEEDED'],
  headersTooLarge: [431, 'header fields too large'],
  internalError: [500, 'internal error'],
  registryBlocked: [502, 'the registry refuses requests from this service'],
  registryBlockedNumber: [502, 'the registry refuses requests for this VAT number'],
  registryUnknownCode: [502, 'the registry answered with an unknown code'],
  registryWebPage: [502, 'the registry answered with a web page'],
  registryUnreadable: [502, 'the registry answered with something that cannot be read'],
  registryOtherNumber: [502, 'the registry answered about another VAT number'],
  registryUnreachable: [502, 'the registry cannot be reached'],
  memberStateDown: [503, 'MS_UNAVAILABLE'],
  registryDown: [503, 'SERVICE_UNAVAILABLE'],
  registryTimeout: [503, 'TIMEOUT'],
  databaseAway: [503, 'temporarily unavailable'],
} as const satisfies Record<string, readonly [status: number, text: string]>;

export type ApiErrorName = keyof typeof registry;

export const apiErrorNames = Object.keys(registry) as readonly ApiErrorName[];

/** The 403 for a key that lacks the scope of a route. */
export const scopeMissing = {
  read: 'readScopeMissing',
  checks: 'checksScopeMissing',
  webhooks: 'webhooksScopeMissing',
} as const satisfies Partial<Record<Scope, ApiErrorName>>;

/** A scope that a route can need. */
export type RouteScope = keyof typeof scopeMissing;

/** Ends a request with one of these errors. It is an answer, not a fault, so it is never logged. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorName;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The reason, if the answer does not say it; for the log. */
  readonly reason: string | null;

  /** `text` replaces the text of errors whose text depends on the request. */
  constructor(
    code: ApiErrorName,
    headers: Readonly<Record<string, string>> = {},
    { text, reason }: { readonly text?: string; readonly reason?: string } = {},
  ) {
    const [status, known] = registry[code];
    super(text ?? known);
    this.code = code;
    this.status = status;
    this.headers = headers;
    this.reason = reason ?? null;
  }

  /** The body of the answer; every error has this shape. */
  get body(): string {
    return JSON.stringify({ error: this.message });
  }
}

/**
 * Whether an error is the last answer on its connection: a request over a limit keeps no place (operator.md,
 * MAX_CONNECTIONS).
 */
export function endsConnection(status: number): boolean {
  return status === 429;
}

/** The 400 for a parameter or a field of a body (interface 7). */
export function invalidField(name: string, expected: string): ApiError {
  return new ApiError('invalidField', {}, { text: `invalid '${name}' — expected ${expected}` });
}

/** The 400 for a query parameter that a strict route does not have (contract C35). */
export function unknownParameter(name: string): ApiError {
  return new ApiError('unknownParameter', {}, { text: `unknown parameter '${shorten(name)}'` });
}

/** The 400 for a field that a body must not have (contract C35). */
export function unknownField(name: string): ApiError {
  return new ApiError('unknownField', {}, { text: `unknown field '${shorten(name)}'` });
}

/** Names that a caller sent are repeated up to 100 characters. */
function shorten(name: string): string {
  return name.slice(0, 100);
}
