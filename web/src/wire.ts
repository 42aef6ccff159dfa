/** What the API answers, as far as the console reads it. */

export type RateEntry = {
  readonly country: string;
  readonly currency: string;
  readonly standard: number | null;
  /** Ascending. */
  readonly reduced: readonly number[];
  readonly super_reduced: number | null;
  readonly parking: number | null;
};

export type RateSnapshot = {
  readonly version: string;
  readonly source: string;
  /** By country code. */
  readonly rates: Readonly<Record<string, RateEntry>>;
};

export type RateChange = {
  readonly id: string;
  readonly snapshotDate: string;
  readonly country: string;
  readonly field: string;
  readonly old: number | null;
  readonly new: number | null;
  readonly detectedAt: string;
};

export type Changes = {
  readonly changes: readonly RateChange[];
  readonly count: number;
  readonly limit: number;
};

/** Oldest first. */
export type StoredDates = { readonly dates: readonly string[]; readonly count: number };

export type FxSnapshot = {
  readonly date: string;
  readonly base: string;
  readonly rates: Readonly<Record<string, number>>;
};

export type FxRange = {
  readonly from: string;
  readonly to: string;
  /** Oldest first. */
  readonly dates: readonly string[];
  /** By currency, one for each date; null where there was no quote. */
  readonly rates: Readonly<Record<string, readonly (number | null)[]>>;
};

export type VatCheckResult = {
  readonly countryCode: string;
  readonly vatNumber: string;
  readonly requestDate: string;
  readonly valid: boolean;
  readonly name: string | null;
  readonly address: string | null;
};

type Standing = {
  /** Null where there is no limit. */
  readonly limit: number | null;
  readonly used: number;
  readonly remaining: number | null;
  readonly resetsAt: string;
};

export type Usage = {
  readonly name: string;
  readonly expiresAt: string | null;
  readonly rateLimit: Standing;
  readonly quota: Standing;
};

export type Run = {
  readonly job: string;
  readonly version: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly outcome: string | null;
  readonly changes: number | null;
};

/** What only the database knows is null while it does not answer. */
export type DataSetStatus = {
  readonly newestVersion: string | null;
  readonly ageSeconds: number | null;
  readonly publicationsMissed: number;
  readonly lastRun: Run | null;
  readonly heldCount: number | null;
  readonly correctionCount: number | null;
};

export type MemberStateHealth = {
  readonly lastAnswerAt: string | null;
  readonly lastFailureAt: string | null;
  readonly lastFailure: string | null;
  readonly failures: number;
  readonly breaker: string;
};

export type Status = {
  readonly now: string;
  readonly dataSets: { readonly rates: DataSetStatus; readonly fx: DataSetStatus };
  /** By country code; those that were asked since the start. */
  readonly memberStates: Readonly<Record<string, MemberStateHealth>>;
  readonly database: { readonly answering: boolean };
};
