import type { Db } from '../database/database.ts';
import type { RunLog, RunReport } from '../schedule/run-log.ts';
import type { Clock, IsoDate } from '../time/time.ts';
import type { DataSet, PublicationJob, ScheduleState } from './data-set.ts';
import { listHeld } from './held-store.ts';

/**
 * Makes the function that a ticker calls: it runs the job of a data set if its timetable says that it is due.
 *
 * There is no cron: the answer follows from the clock and the database, so no missed alarm can exist.
 */
export function createTick(
  dataSet: Pick<DataSet, 'kind' | 'isRunDue' | 'findSecondAnswerMs'>,
  parts: {
    readonly db: Db;
    readonly clock: Clock;
    readonly runs: RunLog;
    readonly job: Pick<PublicationJob, 'refreshDue'>;
    readonly newestDate: () => IsoDate | undefined;
  },
): () => Promise<void> {
  const { kind, isRunDue } = dataSet;
  let isStart = true;
  return async () => {
    const nowMs = parts.clock.now();
    const [last] = await parts.runs.list(1, kind);
    const past = await readPast(parts.db, dataSet, last);
    const newest = parts.newestDate();
    if (!isRunDue({ nowMs, newest, ...past, isStart })) return;

    const reports = await parts.job.refreshDue(newest);
    // A lease that is not free may belong to a process that has just crashed: the next tick tries again.
    if (reports !== undefined) isStart = false;
  };
}

/** The facts of a schedule that are in the database. */
export type Past = Pick<ScheduleState, 'held' | 'lastStartedMs' | 'hasFailed' | 'secondAnswerMs'>;

/** Reads them, beside the last run of a data set. */
export async function readPast(
  db: Db,
  { kind, findSecondAnswerMs }: Pick<DataSet, 'kind' | 'findSecondAnswerMs'>,
  last: RunReport | undefined,
): Promise<Past> {
  const held = await listHeld(db, kind);
  return {
    held: held.map(({ version }) => version),
    lastStartedMs: last === undefined ? undefined : Date.parse(last.startedAt),
    hasFailed: last?.outcome === 'failed',
    secondAnswerMs: await findSecondAnswerMs?.(db),
  };
}
