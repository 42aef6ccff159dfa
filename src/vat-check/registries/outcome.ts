import type { IsoDate } from '../../platform/time/time.ts';
import type { TraderField } from '../numbers/trader.ts';

/** The registry's answer about a number. */
export type Answer = {
  readonly valid: boolean;
  /** The registry's own date of the check with its offset, as it came: `2026-02-13+01:00`. */
  readonly requestDate: string;
  /** Null, as on the wire, if the Member State does not disclose it. */
  readonly name: string | null;
  readonly address: string | null;
};

/** The registry's comparison of a field that was sent with its own data. */
export type Match = 'valid' | 'invalid' | 'not processed';

/** An answer with what proves the question, and the comparison of what was sent with it. */
export type RegistryAnswer = Answer & {
  /** Proof that this requester queried this number; case-sensitive. Undefined if the registry issued none. */
  readonly consultationNumber: string | undefined;
  /** Has the fields that were sent, but for those whose match cannot be read. */
  readonly traderMatch: { readonly [F in TraderField]?: Match };
  /** The first and the last day of the registration, if the registry names them. */
  readonly validFrom?: IsoDate;
  readonly validTo?: IsoDate;
};

/** Why a check failed in a way that has no code of its own. */
export type Failure =
  /** `IP_BLOCKED`. */
  | 'blocked'
  /** HTTP 403. */
  | 'forbidden'
  /** HTTP 429. */
  | 'tooManyRequests'
  | 'numberBlocked'
  | 'unknownCode'
  | 'webPage'
  | 'unreadable'
  /** The answer is about another country or number than was queried. */
  | 'otherNumber'
  /** An answer for which a registry other than VIES has no word: it says nothing about the number. */
  | 'unexpectedAnswer'
  /** The registry does not know this service, or does not serve it. */
  | 'credentialsRefused'
  | 'unreachable';

/** One Member State's registry is unavailable, or the service in front of all of them. */
type Unavailable = {
  readonly kind: 'memberStateUnavailable' | 'serviceUnavailable';
  /** `throttled`: too many requests at the same time, ours or those of other users of VIES. */
  readonly because: 'down' | 'throttled';
};

/** The end of a query to which the registry gave no answer. */
export type Unanswered =
  | { readonly kind: 'rejected' }
  | Unavailable
  | { readonly kind: 'timedOut' }
  | Failed;

type Failed = {
  readonly kind: 'failed';
  readonly failure: Failure;
  /** The header `Retry-After`, if the answer had one. */
  readonly retryAfterSeconds?: number;
  /** Whether that was a SOAP or JSON answer; left out for a page, which may be of anything on the way. */
  readonly isOfRegistry?: true;
};

/**
 * The end of a query of the registry (contract C22).
 *
 * Only `answered` says anything about the number. An outage is never an answer.
 */
export type Outcome<A extends Answer = Answer> =
  | { readonly kind: 'answered'; readonly answer: A; readonly maxAgeSeconds: number | undefined }
  | Unanswered;

/** The registry does not accept the requester of a question; it says nothing about the number. */
export type RequesterRejected = { readonly kind: 'requesterRejected' };

/** The end of any question to a registry. */
export type RegistryOutcome = Outcome<RegistryAnswer> | RequesterRejected;

/** The same for a question without a requester, which no registry refuses for it: an answer has no proof and no matches. */
export function withoutProof(outcome: RegistryOutcome): Outcome {
  if (outcome.kind === 'requesterRejected') return { kind: 'failed', failure: 'unknownCode' };
  if (outcome.kind !== 'answered') return outcome;
  const { valid, requestDate, name, address } = outcome.answer;
  return { ...outcome, answer: { valid, requestDate, name, address } };
}

const faults: Readonly<Record<string, Unanswered>> = {
  INVALID_INPUT: { kind: 'rejected' },
  MS_UNAVAILABLE: { kind: 'memberStateUnavailable', because: 'down' },
  MS_MAX_CONCURRENT_REQ: { kind: 'memberStateUnavailable', because: 'throttled' },
  MS_MAX_CONCURRENT_REQ_TIME: { kind: 'memberStateUnavailable', because: 'throttled' },
  SERVICE_UNAVAILABLE: { kind: 'serviceUnavailable', because: 'down' },
  SERVER_BUSY: { kind: 'serviceUnavailable', because: 'throttled' },
  GLOBAL_MAX_CONCURRENT_REQ: { kind: 'serviceUnavailable', because: 'throttled' },
  GLOBAL_MAX_CONCURRENT_REQ_TIME: { kind: 'serviceUnavailable', because: 'throttled' },
  TIMEOUT: { kind: 'timedOut' },
  IP_BLOCKED: { kind: 'failed', failure: 'blocked' },
  VAT_BLOCKED: { kind: 'failed', failure: 'numberBlocked' },
};

/** Answers that are about this service and the whole registry, in the words of `/status` (rule K21). */
const blockReasons: Partial<Readonly<Record<Failure, string>>> = {
  blocked: 'IP_BLOCKED',
  forbidden: 'HTTP 403',
  tooManyRequests: 'HTTP 429',
  webPage: 'a web page in place of an answer',
};

/** The reason of a block, for operators; undefined if the registry does not refuse this service. */
export function blockReasonOf(outcome: Outcome | RequesterRejected): string | undefined {
  return outcome.kind === 'failed' ? blockReasons[outcome.failure] : undefined;
}

/**
 * Reads the text of a SOAP fault: its code, or the code with a sentence behind it.
 *
 * An unknown code is a failure; its meaning is not guessed.
 */
export function readFault(text: string): Unanswered {
  return faults[codeOf(text)] ?? { kind: 'failed', failure: 'unknownCode' };
}

/** Reads the text of a SOAP fault of `checkVatApprox`, which has a requester. */
export function readApproxFault(text: string): Unanswered | RequesterRejected {
  return codeOf(text) === 'INVALID_REQUESTER_INFO'
    ? { kind: 'requesterRejected' }
    : readFault(text);
}

function codeOf(text: string): string {
  // Upper case only, so that a code cannot be the name of a property of every object.
  return /^\W*([A-Z_]+)\b/.exec(text)?.[1] ?? '';
}

/** Reads a name or an address; `---`, an empty text and blanks mean that it is not disclosed. */
export function readDisclosed(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' || trimmed === '---' ? null : trimmed;
}
