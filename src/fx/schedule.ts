import type { Db } from '../platform/database/database.ts';
import { listHeld } from '../platform/publication/held-store.ts';
import type { RunLog } from '../platform/schedule/run-log.ts';
import type { Clock, IsoDate } from '../platform/time.ts';
import type { FxRefresh } from './refresh.ts';
import { isRunDue } from './timetable.ts';

/** Makes the question that the ticker asks: runs the job if it is due, and nothing otherwise. */
export function createFxTick(parts: {
  readonly db: Db;
  readonly clock: Clock;
  readonly runs: RunLog;
  readonly refresh: FxRefresh;
  readonly newestDate: () => IsoDate | null;
}): () => Promise<void> {
  let isStart = true;
  return async () => {
    const nowMs = parts.clock.now();
    const held = (await listHeld(parts.db, 'fx')).map(({ version }) => version);
    const [last] = await parts.runs.list(1, 'fx');
    const lastStartedMs = last === undefined ? null : Date.parse(last.startedAt);
    const newest = parts.newestDate();
    if (!isRunDue({ nowMs, newest, held, lastStartedMs, isStart })) return;

    const report = await parts.refresh.refresh(0);
    // A lease that is not free may be that of a process that has just crashed: ask again.
    if (report !== undefined) isStart = false;
  };
}
