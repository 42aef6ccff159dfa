import type { RunLog } from '../platform/schedule/run-log.ts';
import type { Clock, IsoDate } from '../platform/time.ts';
import type { RatesRefresh } from './refresh.ts';
import { isRunDue, newestDueVersion, versionAt } from './timetable.ts';

/** Makes the question that the ticker asks: runs the job if it is due, and nothing otherwise. */
export function createRatesTick(parts: {
  readonly clock: Clock;
  readonly runs: RunLog;
  readonly refresh: RatesRefresh;
  readonly newestDate: () => IsoDate | null;
}): () => Promise<void> {
  let isStart = true;
  return async () => {
    const nowMs = parts.clock.now();
    const newest = parts.newestDate();
    const [last] = await parts.runs.list(1, 'rates');
    const lastStartedMs = last === undefined ? null : Date.parse(last.startedAt);
    if (!isRunDue({ nowMs, newest, lastStartedMs, isStart })) return;

    // The first snapshot is today's; after that, the timetable says which ones are due.
    const until = newest === null ? versionAt(nowMs) : newestDueVersion(nowMs);
    const reports = await parts.refresh.refreshTo(until, 0);
    // A lease that is not free may be that of a process that has just crashed: ask again.
    if (reports !== undefined) isStart = false;
  };
}
