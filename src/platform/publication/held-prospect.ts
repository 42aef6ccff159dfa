import type { Db } from '../database/database.ts';
import { findLastRun } from '../schedule/run-log.ts';
import { formatInstant, isoDate } from '../time/time.ts';
import type { DataSet, ScheduleState } from './data-set.ts';
import { readPast } from './schedule.ts';

/** What becomes of a held snapshot on which no operator decides. */
export type Prospect = {
  /** When its upstream is queried for the same version again; null if it is not. */
  readonly askedAgainAt: string | null;
  readonly sentence: string;
};

/** The facts about a data set by which it is known. */
type Prospected = Pick<
  DataSet,
  'kind' | 'findLatest' | 'askedAgainMs' | 'fillsGaps' | 'findSecondAnswerMs'
>;

/** Says what becomes of a held version by the timetable of its data set, and by its last run in whichever process. */
export async function readProspect(
  db: Db,
  dataSet: Prospected,
  of: { readonly version: string; readonly nowMs: number },
): Promise<Prospect> {
  const { version, nowMs } = of;
  const state = await readScheduleState(db, dataSet, nowMs);
  const isOlder = state.newest !== undefined && version <= state.newest;
  if (isOlder && dataSet.fillsGaps !== true) {
    const sentence = `it can only be rejected, because ${state.newest} is published`;
    return { askedAgainAt: null, sentence };
  }
  const againMs = dataSet.askedAgainMs(isoDate(version), state);
  if (againMs === undefined) {
    const sentence =
      'this day is not asked for again; if it stays held, its changes appear with the next published day';
    return { askedAgainAt: null, sentence };
  }
  const askedAgainAt = formatInstant(againMs);
  const asked = sayAskedAgain(againMs, nowMs);
  if (isOlder) {
    const until = `${state.newest} is published, and this one waits for you`;
    return { askedAgainAt, sentence: `${until}, unless another answer fills its place; ${asked}` };
  }
  return { askedAgainAt, sentence: `${asked}; a plausible answer is published without you` };
}

/** Says when the upstream of a data set is asked again, by its timetable, after the run that is under way. */
export async function describeNextRun(db: Db, dataSet: Prospected, nowMs: number): Promise<string> {
  const state = await readScheduleState(db, dataSet, nowMs);
  const againMs = dataSet.askedAgainMs(state.newest ?? isoDate('9999-12-31'), state);
  return againMs === undefined ? 'not asked again' : sayAskedAgain(againMs, nowMs);
}

function sayAskedAgain(againMs: number, nowMs: number): string {
  const minute = printMinute(formatInstant(againMs), nowMs);
  return `asked again at ${minute} by a server with JOBS=on`;
}

async function readScheduleState(
  db: Db,
  dataSet: Prospected,
  nowMs: number,
): Promise<ScheduleState> {
  const { kind, findLatest } = dataSet;
  const past = await readPast(db, dataSet, await findLastRun(db, kind));
  return { nowMs, newest: (await findLatest(db))?.date, ...past, isStart: false };
}

/** `08:05 UTC`, with its date if that is not today. */
function printMinute(instant: string, nowMs: number): string {
  const today = formatInstant(nowMs).slice(0, 10);
  const [date = '', time = ''] = instant.split('T');
  return `${date === today ? '' : `${date} `}${time.slice(0, 5)} UTC`;
}
