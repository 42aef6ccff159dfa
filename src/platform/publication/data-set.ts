import type { CsvTable } from '../csv/csv.ts';
import type { DataSetKind } from './data-set-kinds.ts';
import type { Operator } from '../database/audit.ts';
import type { Db, Tx } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import type { dateInPath, spanParameters } from '../http/routes/date-parameters.ts';
import type { RouteDefinition } from '../http/routes/define-route.ts';
import type { ApiErrorName } from '../http/responses/api-errors.ts';
import type { StoredBody } from '../http/responses/published-snapshots.ts';
import type { RunReport } from '../schedule/run-log.ts';
import type { IsoDate } from '../time/time.ts';
import type { HeldDifference } from './held-difference.ts';
import type { Approved, HeldSnapshot } from './held-store.ts';
import type { SnapshotTable } from './snapshot-table.ts';

/**
 * A data set that is published as one snapshot for each date, the latest of which callers get by default.
 *
 * `src/composition/data-sets.ts` lists all of them: routes, status, metrics, jobs, `doctor` and `copy` go over that list.
 */
export type DataSet = {
  readonly kind: DataSetKind;
  readonly snapshots: SnapshotTable;
  /** Its tables of published rows, each with the words for these rows after a count. */
  readonly publishedTables: Readonly<Partial<Record<keyof Tables, string>>>;
  /**
   * Deletes stored versions with everything that is made of them, in the transaction of their withdrawal. The revision of
   * the data set is raised before, which locks it.
   */
  readonly deleteVersions: (tx: Tx, versions: readonly IsoDate[]) => Promise<void>;
  /** The newest published snapshot with its body; undefined before the first. */
  readonly findLatest: (db: Db) => Promise<StoredBody | undefined>;
  /** Today's date, as versions are dated; a stored version that is later was published by a wrong clock. */
  readonly today: (nowMs: number) => IsoDate;
  /** Publications that are due and not stored; 0 means up to date. */
  readonly countMissed: (newest: IsoDate | undefined, nowMs: number) => number;
  /** Whether the scheduled job should run now. */
  readonly isRunDue: (state: ScheduleState) => boolean;
  /** The next moment at which {@link isRunDue} will be true, in ms since the epoch. */
  readonly nextRunMs: (state: ScheduleState) => number | undefined;
  /** When the scheduled job queries a held version that is later than the newest again, in ms since the epoch; undefined if it does not. */
  readonly askedAgainMs: (version: IsoDate, state: ScheduleState) => number | undefined;
  /**
   * Whether a held version may be published although newer ones are, because no version is made from the one before. It is
   * then compared with the published one before it. Default: false.
   */
  readonly fillsGaps?: boolean;
  /** When the scheduled job has to ask a second time for a day without a publication, in ms since the epoch. Default: never. */
  readonly findSecondAnswerMs?: ((db: Db) => Promise<number | undefined>) | undefined;
  /** Compares a held snapshot with the newest stored one, or the one before it, for the operator who decides. */
  readonly compareHeld: (db: Db, held: HeldSnapshot) => Promise<HeldDifference>;
  /** Advice to the operator, for `doctor`, if the upstream has changed values after their publication. */
  readonly correctionAdvice: string;
  readonly api: SnapshotApi;
};

/** The definitions of the routes of a data set. */
export type SnapshotRoutes = {
  readonly latest: RouteDefinition<{}, {}>;
  readonly dates: RouteDefinition<{}, typeof spanParameters>;
  readonly dated: RouteDefinition<typeof dateInPath, {}>;
};

/** The routes that each data set has, as JSON and as CSV: the latest snapshot, the one of a date, and the list of dates. */
export type SnapshotApi = {
  readonly path: `/${string}`;
  readonly routes: SnapshotRoutes;
  /** The table of the CSV, made from a stored body. Its columns never change, because callers keep it as immutable. */
  readonly toTable: (body: string) => CsvTable;
  /** Further fields of the list of dates. */
  readonly readMoreOfDates?: (db: Db) => Promise<Readonly<Record<string, string | null>>>;
  /** The 404 before the first publication. */
  readonly noneYet: ApiErrorName;
  /** The 404 for a date without a snapshot. */
  readonly notFound: ApiErrorName;
};

/** The facts from which a timetable decides. */
export type ScheduleState = {
  readonly nowMs: number;
  /** The date of the newest published snapshot; undefined before the first. */
  readonly newest: IsoDate | undefined;
  /** Versions that an operator has to decide on. */
  readonly held: readonly string[];
  /** The start of the last run, in whichever process; undefined if there was none. */
  readonly lastStartedMs: number | undefined;
  /** Whether the last run has failed. Default: false. */
  readonly hasFailed?: boolean;
  /** When a second answer about a day without a publication is due; undefined if none is. */
  readonly secondAnswerMs?: number | undefined;
  /** The first check since the process started: missing versions are fetched immediately. */
  readonly isStart: boolean;
};

/** The versions that an operator wants to take back: those after a date. */
export type WantedWithdrawal = { readonly after: IsoDate; readonly by: Operator };

/** The job of a data set. Each call waits at most `waitMs` for the lease; undefined if it was not free by then. */
export interface PublicationJob {
  /**
   * Runs now, whether it is due or not; the reports are in the order of their versions. `onProgress` gets a sentence after
   * each part of a long job.
   */
  refresh(
    waitMs: number,
    onProgress?: (sentence: string) => void,
  ): Promise<readonly RunReport[] | undefined>;
  /** The scheduled run: queries what is due by the timetable. */
  refreshDue(newest: IsoDate | undefined): Promise<readonly RunReport[] | undefined>;
  /** Publishes a held snapshot that an operator has approved, unless a newer one is published (contract C15). */
  publishHeld(held: Approved, waitMs: number): Promise<RunReport | undefined>;
  /** Takes back every version after a date, which is today or later, and returns them, the oldest first (contract C17a). */
  withdraw(wanted: WantedWithdrawal, waitMs: number): Promise<readonly IsoDate[] | undefined>;
}
