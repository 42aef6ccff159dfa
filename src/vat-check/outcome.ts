/** The registry's answer about a number. */
export type Answer = {
  readonly valid: boolean;
  /** The registry's own date of the check with its offset, as it came: `2026-02-13+01:00`. */
  readonly requestDate: string;
  /** Null, as on the wire, if the Member State withholds it. */
  readonly name: string | null;
  readonly address: string | null;
};

/** Why a check failed in a way that has no code of its own. */
export type Failure =
  | 'blocked'
  | 'numberBlocked'
  | 'unknownCode'
  | 'webPage'
  | 'unreadable'
  /** The answer is about another country or number than was queried. */
  | 'otherNumber'
  | 'unreachable';

/** One Member State's registry is unavailable, or the service in front of all of them. */
type Unavailable = {
  readonly kind: 'memberStateUnavailable' | 'serviceUnavailable';
  /** `throttled`: too many requests at the same time, ours or those of other users of VIES. */
  readonly because: 'down' | 'throttled';
};

/**
 * The end of a query of the registry (contract C22).
 *
 * Only `answered` says anything about the number. An outage is never an answer.
 */
export type Outcome =
  | {
      readonly kind: 'answered';
      readonly answer: Answer;
      readonly maxAgeSeconds: number | undefined;
    }
  | { readonly kind: 'rejected' }
  | Unavailable
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'failed'; readonly failure: Failure };

const faults: Readonly<Record<string, Outcome>> = {
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

/**
 * Reads the text of a SOAP fault: its code, or the code with a sentence behind it.
 *
 * An unknown code is a failure; its meaning is not guessed.
 */
export function readFault(text: string): Outcome {
  // Upper case only, so that a code cannot be the name of a property of every object.
  const code = /^\W*([A-Z_]+)\b/.exec(text)?.[1] ?? '';
  return faults[code] ?? { kind: 'failed', failure: 'unknownCode' };
}

/** Reads a name or an address; `---`, an empty text and blanks mean that it is withheld. */
export function readDisclosed(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' || trimmed === '---' ? null : trimmed;
}
