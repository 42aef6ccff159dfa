import type { ScheduleState } from './data-set.ts';

/**
 * The next moment at which a run is due, in ms since the epoch; undefined if it is due at none of the candidates.
 *
 * A timetable says whether a run is due at a moment. That changes only at a few moments, the candidates, which the data
 * set knows: when an interval since the last run ends, and when a publication becomes due.
 */
export function findNextRun(
  isRunDue: (state: ScheduleState) => boolean,
  state: ScheduleState,
  candidates: readonly number[],
): number | undefined {
  return [state.nowMs, ...candidates]
    .filter((moment) => moment >= state.nowMs)
    .toSorted((a, b) => a - b)
    .find((nowMs) => isRunDue({ ...state, nowMs }));
}
