import type { Db } from '../database/database.ts';
import { findLastRun } from '../schedule/run-log.ts';
import { formatInstant, isoDate } from '../time/time.ts';
import type { DataSet, ScheduleState } from './data-set.ts';
import { listHeld } from './held-store.ts';
import { toPast } from './schedule.ts';

/** What becomes of a held snapshot on which no operator decides. */
export type Prospect = {
  /** When its upstream is queried for the same version again; null if it is not. */
  readonly askedAgainAt: string | null;
  readonly sentence: string;
};

/** The facts about a data set by which it is known. */
type Prospected = Pick<DataSet, 'kind' | 'findLatest' | 'askedAgainMs'>;

/** Says what becomes of a held version by the timetable of its data set, and by its last run in whichever process. */
export async function readProspect(
  db: Db,
  dataSet: Prospected,
  of: { readonly version: string; readonly nowMs: number },
): Promise<Prospect> {
  const { version, nowMs } = of;
  const state = await readScheduleState(db, dataSet, nowMs);
  if (state.newest !== undefined && version <= state.newest) {
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
  const sentence =
    `asked again at ${printMinute(askedAgainAt, nowMs)} by a server with JOBS=on; ` +
    'a plausible answer is published without you';
  return { askedAgainAt, sentence };
}

async function readScheduleState(
  db: Db,
  { kind, findLatest }: Prospected,
  nowMs: number,
): Promise<ScheduleState> {
  const past = toPast(await findLastRun(db, kind), await listHeld(db, kind));
  return { nowMs, newest: (await findLatest(db))?.date, ...past, isStart: false };
}

/** `08:05 UTC`, with its date if that is not today. */
function printMinute(instant: string, nowMs: number): string {
  const today = formatInstant(nowMs).slice(0, 10);
  const [date = '', time = ''] = instant.split('T');
  return `${date === today ? '' : `${date} `}${time.slice(0, 5)} UTC`;
}
