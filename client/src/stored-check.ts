/** A VAT number as the service names a requester: Greece is `GR`. */
export type CountryAndVatNumber = { readonly countryCode: string; readonly vatNumber: string };

/** The data of a customer that the registry compares; each at most 200 characters. */
export type Trader = {
  readonly name?: string | null;
  readonly street?: string | null;
  readonly postcode?: string | null;
  readonly city?: string | null;
  /** A code of the Member State, such as `DE-1`. */
  readonly companyType?: string | null;
};

/** A stored check that a caller wants, as one of a batch (rule K4). */
export type BatchedCheck = {
  readonly countryCode: string;
  readonly vatNumber: string;
  /** On whose behalf the registry is queried. By default the requester of the key, or that of the service. */
  readonly requester?: CountryAndVatNumber | null;
  readonly trader?: Trader | null;
  /** An answered check of the same number, requester and trader that is at most this old is returned instead. By default 0. */
  readonly maxAgeSeconds?: number | null;
  /** How long the check may be pending: 1 to 720, by default 72. */
  readonly expiresInHours?: number | null;
  /** At most 100 characters, for the caller. */
  readonly reference?: string | null;
};

/** A stored check that a caller wants. */
export type CheckInput = BatchedCheck & {
  /** How long the request may wait for the registry: 0 to 10, by default 2. */
  readonly waitSeconds?: number | null;
};

/** Whether data of a trader is that of the register. */
export type Match = 'valid' | 'invalid' | 'not processed';

type OfTrader<T> = {
  readonly name: T | null;
  readonly street: T | null;
  readonly postcode: T | null;
  readonly city: T | null;
  readonly companyType: T | null;
};

/** The fields that a stored check has in every status. Moments are ISO instants. */
type CheckHead = {
  readonly id: string;
  /** Country and number as the caller sent them. */
  readonly countryCode: string;
  readonly vatNumber: string;
  readonly requester: CountryAndVatNumber | null;
  readonly trader: OfTrader<string> | null;
  readonly registry: 'vies';
  /** The number that is queried, behind the registry's code of its country: `ESB83891812`. Null if none can be queried. */
  readonly queriedNumber: string | null;
  /** A remark about the number or its requester, such as `form: expected 8 digits`. It is never the reason of an answer. */
  readonly hint: string | null;
  readonly reference: string | null;
  /** Queries of the registry so far. */
  readonly attempts: number;
  readonly batchId: string | null;
  readonly createdAt: string;
  /** The end of the check; null while it is pending. */
  readonly answeredAt: string | null;
  readonly nextAttemptAt: string | null;
  /** Null if the check has ended. */
  readonly expiresAt: string | null;
};

/** A stored check with the registry's answer. */
export type AnsweredCheck = CheckHead & {
  readonly status: 'answered';
  /** The registry's date of the check, with its offset: `2026-11-20+01:00`. */
  readonly requestDate: string;
  /** False only if the registry looked the number up and it is not registered. */
  readonly valid: boolean;
  /** Null if the Member State does not disclose it; so is `address`. */
  readonly name: string | null;
  readonly address: string | null;
  /** The registry's own proof that the requester has asked. Null if it issued none. */
  readonly consultationNumber: string | null;
  /** Null if no trader was sent; a field is null if it was not sent. */
  readonly traderMatch: OfTrader<Match> | null;
  readonly error: null;
};

/** A stored check without an answer: pending, refused by the registry, or expired. All fields of an answer are null. */
export type UnansweredCheck = CheckHead & {
  readonly status: 'pending' | 'rejected' | 'expired';
  readonly requestDate: null;
  readonly valid: null;
  readonly name: null;
  readonly address: null;
  readonly consultationNumber: null;
  readonly traderMatch: null;
  /**
   * Why the newest attempt gave no answer: `MS_UNAVAILABLE`, for example. Null before the first one has ended, and while “not
   * registered” near an outage is not confirmed.
   */
  readonly error: string | null;
};

/**
 * A stored check (rule K5). Compare `status` first: only an answered check says whether the number is valid.
 *
 *     if (check.status === 'answered' && !check.valid) …
 */
export type StoredCheck = AnsweredCheck | UnansweredCheck;

export type CheckStatus = StoredCheck['status'];

/** A stored check that will not change any more. */
export type EndedCheck =
  | AnsweredCheck
  | (UnansweredCheck & { readonly status: 'rejected' | 'expired' });

/** The checks of a list that are wanted. */
export type CheckQuery = {
  readonly status?: CheckStatus | undefined;
  readonly valid?: boolean | undefined;
  readonly countryCode?: string | undefined;
  /** In any spelling; without `countryCode` in any country. */
  readonly vatNumber?: string | undefined;
  readonly reference?: string | undefined;
  /** The beginning of the reference. */
  readonly referencePrefix?: string | undefined;
  readonly batchId?: string | undefined;
  /** Created on this day or at this instant, or later. */
  readonly since?: string | undefined;
  /** Created before this day or instant. */
  readonly until?: string | undefined;
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
  /** By default 100, at most 500. A page ends earlier at 1 MB. */
  readonly limit?: number | undefined;
};

/** Checks, the newest first; `nextCursor` is null on the last page. A page before it can have few checks, or none. */
export type CheckPage = {
  readonly checks: readonly StoredCheck[];
  readonly count: number;
  readonly nextCursor: string | null;
};

/** A row of a batch that was not stored: its place in the list from 1, or its line in a CSV file. */
export type SkippedRow = { readonly line: number; readonly reason: string };

export type NewBatch = {
  readonly batchId: string;
  /** Checks that are stored, without the skipped rows. */
  readonly count: number;
  readonly skipped: readonly SkippedRow[];
  /** Skipped rows in all; `skipped` names at most 100 of them. */
  readonly skippedCount: number;
  /**
   * When the checks of the key that wait now will have been queried once, at the present pace; null if none waits. Absent from
   * services before this field existed.
   */
  readonly estimatedDoneAt?: string | null;
};

/** A batch with the number of its checks in each status. */
export type Batch = Omit<NewBatch, 'skipped' | 'skippedCount' | 'estimatedDoneAt'> & {
  readonly pending: number;
  readonly answered: number;
  readonly rejected: number;
  readonly expired: number;
  readonly createdAt: string;
};

/**
 * The signed evidence of a check (rule K15). Bytes are base64.
 *
 * Write `JSON.stringify(evidence)` to a file: `vatfx evidence verify FILE --keys keys.json` verifies it without the service.
 */
export type Evidence = {
  readonly id: string;
  readonly registry: 'vies';
  readonly endpoint: string;
  readonly requestedAt: string;
  /** Null if the end of the response was not received. */
  readonly answeredAt: string | null;
  /** The bytes that were sent to the registry. */
  readonly request: string;
  /** The bytes that the registry sent; empty if there were none. */
  readonly response: string;
  readonly requestSha256: string;
  readonly responseSha256: string;
  readonly manifest: string;
  readonly signature: string;
  readonly keyId: string;
  readonly publicKey: { readonly crv: 'Ed25519'; readonly kty: 'OKP'; readonly x: string };
};

/** A JWK set (RFC 7517). */
export type EvidenceKeys = {
  readonly keys: readonly {
    readonly crv: 'Ed25519';
    readonly kty: 'OKP';
    readonly x: string;
    /** The thumbprint of the key: `keyId` of evidence. */
    readonly kid: string;
    readonly alg: 'EdDSA';
    readonly use: 'sig';
    readonly createdAt: string;
    /** From when on it signs nothing more; null for the key that signs now. */
    readonly endedAt: string | null;
  }[];
};
