/** Where a key stands (contract C26). */
export type Usage = {
  readonly name: string;
  /** An ISO instant; null for never. */
  readonly expiresAt: string | null;
  readonly rateLimit: Allowance & { readonly windowSeconds: number };
  /** `month` like `2026-11`, in UTC. */
  readonly quota: Allowance & { readonly month: string };
};

/** Null for no limit. */
export type Allowance = {
  readonly limit: number | null;
  readonly used: number;
  readonly remaining: number | null;
  readonly resetsAt: string;
};

/** How the service is doing. */
export type ServiceStatus = {
  readonly now: string;
  readonly dataSets: { readonly rates: DataSetStatus; readonly fx: DataSetStatus };
  /** By registry code: `EL` for Greece. */
  readonly memberStates: Readonly<Record<string, MemberStateStatus>>;
  readonly database: { readonly answering: boolean };
};

export type DataSetStatus = {
  readonly newestVersion: string | null;
  /** Since the newest version's day began in UTC; null before the first. */
  readonly ageSeconds: number | null;
  readonly publicationsMissed: number;
  /** This and what follows is null while the database cannot be asked. */
  readonly lastRun: RunStatus | null;
  /** Implausible snapshots that are not published until an operator decides. */
  readonly heldCount: number | null;
  /** Published values that the source has since changed, and that an operator has not decided on. */
  readonly correctionCount: number | null;
};

export type RunStatus = {
  readonly job: string;
  readonly version: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Null while it is under way, like `endedAt`. */
  readonly outcome: string | null;
  readonly changes: number;
};

export type MemberStateStatus = {
  readonly lastAnswerAt: string | null;
  readonly lastFailureAt: string | null;
  readonly lastFailure: string | null;
  readonly failures: number;
  readonly breaker: 'closed' | 'open' | 'half-open';
};
