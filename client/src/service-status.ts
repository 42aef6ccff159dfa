import type { BankName } from './bank-rates.ts';

/** The state of the service: data sets, registries and database. */
export type ServiceStatus = {
  readonly now: string;
  /** Whether this is the demo, whose data is simulated. Absent from services before this field existed. */
  readonly demo?: boolean;
  /** A bank only if the operator has enabled it. */
  readonly dataSets: Readonly<Record<'rates' | 'fx', DataSetStatus>> &
    Readonly<Partial<Record<BankName, DataSetStatus>>>;
  /** VIES, the registry of all Member States. Absent from services before this field existed. */
  readonly registry?: RegistryStatus;
  /** By registry code; Greece is `EL`. */
  readonly memberStates: Readonly<Record<string, MemberStateStatus>>;
  readonly database: { readonly answering: boolean };
  /**
   * Territories that the newest VAT rates name and the service does not know: the country, and the words of TEDB. Null
   * while the database does not answer; absent from services before this field existed.
   */
  readonly unknownTerritories?: readonly string[] | null;
};

export type DataSetStatus = {
  readonly newestVersion: string | null;
  /** Time since the day of the newest version began in UTC; null before the first version. */
  readonly ageSeconds: number | null;
  readonly publicationsMissed: number;
  /**
   * `later than today` if the newest version is dated after today, because a clock was wrong; otherwise null. Absent from
   * services before this field existed.
   */
  readonly error?: string | null;
  /** This and the following fields are null while the database does not answer. */
  readonly lastRun: RunStatus | null;
  /** When the service fetches data next, by its timetable; absent from services before this field existed. */
  readonly nextRunAt?: string | null;
  /** A remark of the service about the newest version; null if it has none, absent from services before this field existed. */
  readonly remark?: string | null;
  /** Number of implausible snapshots that are held for an operator's decision. */
  readonly heldCount: number | null;
  /** Number of published values that the source changed later. An operator decides whether to correct them. */
  readonly correctionCount: number | null;
};

export type RunStatus = {
  readonly job: string;
  readonly version: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Null while the run is in progress, like `endedAt`. */
  readonly outcome: string | null;
  /**
   * Why the run failed: `no_answer`, `refused`, `unusable_answer`, `wrong_clock`, `interrupted` or `internal`. Null if it did not
   * fail; absent from services before this field existed.
   */
  readonly failure?: string | null;
  readonly changes: number;
};

/** Moments are ISO 8601 in UTC. */
export type RegistryStatus = {
  /** VIES blocks the service, and no VAT number is queried before this moment; null if it does not, like `reason`. */
  readonly blockedUntil: string | null;
  /** `IP_BLOCKED`, `HTTP 403`, `HTTP 429`, or a web page in place of an answer. */
  readonly reason: string | null;
  /** Queries since midnight UTC. This and the following fields are null while the database does not answer. */
  readonly callsToday: {
    readonly background: number;
    /** Queries that a caller waited for. */
    readonly callers: number;
    /** The most background queries of a day; null for no limit. */
    readonly perDay: number | null;
  } | null;
  /** Stored checks of all keys that wait for a query. */
  readonly waitingChecks: number | null;
  /** When the last of them will have been queried once, at the present pace; null if none waits. */
  readonly estimatedDoneAt: string | null;
};

export type MemberStateStatus = {
  readonly lastAnswerAt: string | null;
  readonly lastFailureAt: string | null;
  readonly lastFailure: string | null;
  readonly failures: number;
  readonly breaker: 'closed' | 'open' | 'half-open';
};
