import type { DataSetKind } from '../publication/data-set-kinds.ts';
import type { Db } from '../database/database.ts';
import type { RevisionWatch } from '../database/replicas/revisions.ts';
import type { Log } from '../log/log.ts';
import { listCorrections, type SeenCorrection } from '../publication/correction-store.ts';
import type { DataSet, ScheduleState } from '../publication/data-set.ts';
import { listHeld } from '../publication/held-store.ts';
import { type Past, readPast } from '../publication/schedule.ts';
import { findRemark, type RunLog, type RunReport } from '../schedule/run-log.ts';
import { formatInstant, type IsoDate, midnightOf } from '../time/time.ts';

/** How fresh a data set is in this process. */
export interface Freshness {
  readonly kind: DataSetKind;
  newestDate(): IsoDate | undefined;
  /** Today's date, as versions are dated. */
  today(nowMs: number): IsoDate;
  /** Publications that are due and not stored. */
  countMissed(nowMs: number): number;
  /** When a process that runs jobs will run this one next; undefined if that is not known. */
  nextRunMs(state: Past & Pick<ScheduleState, 'nowMs'>): number | undefined;
  readonly findSecondAnswerMs: DataSet['findSecondAnswerMs'];
}

/** The sources of the status of data sets. */
export type DataSetSources = {
  readonly db: Db;
  readonly watch: RevisionWatch;
  readonly runs: RunLog;
  readonly log: Log;
  readonly dataSets: readonly Freshness[];
};

/** The state of a data set in the database. */
type StoredStatus = {
  readonly lastRun: RunReport | null;
  /** The remark of the run that published the newest version; null if it had none. */
  readonly remark: string | null;
  readonly held: readonly {
    id: string;
    version: string;
    reasons: readonly string[];
    heldAt: string;
  }[];
  readonly corrections: readonly SeenCorrection[];
};

export type StoredStatuses = Readonly<
  Record<string, { readonly shown: StoredStatus; readonly past: Past }>
>;

/** The status of a data set; everything from the database is null while the database is away. */
export type DataSetStatus = {
  readonly newestVersion: IsoDate | null;
  /** Seconds since the newest version's day began in UTC; null before the first. */
  readonly ageSeconds: number | null;
  readonly publicationsMissed: number;
  /** Null unless the newest version was published by a wrong clock (contract C17a). */
  readonly error: 'later than today' | null;
  /** When the job runs next, by its timetable. */
  readonly nextRunAt: string | null;
} & { readonly [Name in keyof StoredStatus]: StoredStatus[Name] | null };

/** Runs a read of the database; undefined if the database does not answer. While it is known to be away, nothing is read. */
export async function readIfAnswering<T>(
  { watch, log }: Pick<DataSetSources, 'watch' | 'log'>,
  read: () => Promise<T>,
): Promise<T | undefined> {
  if (watch.isLost) return undefined;
  try {
    return await read();
  } catch (error) {
    log.warn({ err: error }, 'database not readable for a status');
    return undefined;
  }
}

/** Reads the last run, the remark on the newest version, the held snapshots and the open corrections of each data set. */
export async function readStoredStatuses(sources: DataSetSources): Promise<StoredStatuses> {
  const { db, runs } = sources;
  const statuses: Record<string, StoredStatuses[string]> = {};
  for (const dataSet of sources.dataSets) {
    const { kind } = dataSet;
    const [lastRun] = await runs.list(1, kind);
    const held = await listHeld(db, kind);
    const shown = {
      lastRun: lastRun ?? null,
      remark: await findRemark(db, kind),
      held: held.map(({ id, version, reasons, heldAt }) => ({ id, version, reasons, heldAt })),
      corrections: await listCorrections(db, kind),
    };
    statuses[kind] = { shown, past: await readPast(db, dataSet, lastRun) };
  }
  return statuses;
}

/** Adds the freshness, which this process knows without the database, to the stored statuses. */
export function describeDataSets(
  dataSets: readonly Freshness[],
  stored: StoredStatuses | undefined,
  nowMs: number,
): Readonly<Record<string, DataSetStatus>> {
  const statuses: Record<string, DataSetStatus> = {};
  for (const dataSet of dataSets) {
    const newest = dataSet.newestDate();
    statuses[dataSet.kind] = {
      newestVersion: newest ?? null,
      ageSeconds: newest === undefined ? null : Math.trunc((nowMs - midnightOf(newest)) / 1_000),
      publicationsMissed: dataSet.countMissed(nowMs),
      error: isLaterThanToday(dataSet, nowMs) ? 'later than today' : null,
      nextRunAt: describeNextRun(dataSet, stored?.[dataSet.kind]?.past, nowMs),
      ...(stored?.[dataSet.kind]?.shown ?? {
        lastRun: null,
        remark: null,
        held: null,
        corrections: null,
      }),
    };
  }
  return statuses;
}

/** Whether the newest version is dated after today: the clock of a machine was, or is, wrong. */
export function isLaterThanToday(dataSet: Freshness, nowMs: number): boolean {
  return (dataSet.newestDate() ?? '') > dataSet.today(nowMs);
}

function describeNextRun(dataSet: Freshness, past: Past | undefined, nowMs: number): string | null {
  if (past === undefined) return null;
  const nextMs = dataSet.nextRunMs({ nowMs, ...past });
  return nextMs === undefined ? null : formatInstant(nextMs);
}
