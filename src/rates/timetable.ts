import type { ScheduleState } from '../platform/publication/data-set.ts';
import { findNextRun } from '../platform/publication/next-run.ts';
import {
  addDays,
  dateIn,
  daysBetween,
  type IsoDate,
  midnightOf,
  momentIn,
} from '../platform/time/time.ts';

/** The calendar of rates is that of Brussels (contract C12). */
const versionTimeZone = 'Europe/Brussels';
/** The daily run is at 07:00 UTC (interface 1). */
const dailyRunMs = 7 * 3_600_000;
const hourMs = 3_600_000;
/** Callers get 404 until the first publication, so the first retry is sooner. */
const firstRetryMs = 5 * 60_000;
/** Of a longer gap the newest days are filled; `backfill` fills the rest. */
const catchUpDaysMax = 400;

/** The version that a run queries: the calendar date in Brussels. */
export function versionAt(nowMs: number): IsoDate {
  return dateIn(versionTimeZone, nowMs);
}

/** The version of the newest daily run that should have happened. */
export function newestDueVersion(nowMs: number): IsoDate {
  return dateIn('UTC', nowMs - dailyRunMs);
}

/**
 * The versions that the job queries, oldest first: every day since the newest published one.
 *
 * So a service that was down for a week has the rows and events of that week, each with its own date, as if
 * it had never been down. A held day is left to the operator, except the last one, which the upstream may
 * have corrected.
 */
export function versionsToAsk(asked: {
  readonly newest: IsoDate | undefined;
  readonly until: IsoDate;
  readonly held: readonly string[];
}): IsoDate[] {
  const { newest, until } = asked;
  if (newest === undefined || newest >= until) return [until];

  const days = Math.min(daysBetween(newest, until), catchUpDaysMax);
  return Array.from({ length: days }, (_, at) => addDays(until, at - days + 1)).filter(
    (version) => version === until || !asked.held.includes(version),
  );
}

/** The number of daily runs without a publication; 0 means up to date. */
export function missedVersions(newest: IsoDate | undefined, nowMs: number): number {
  return newest === undefined ? 1 : Math.max(0, daysBetween(newest, newestDueVersion(nowMs)));
}

/**
 * Whether the scheduled run should start now: at 07:00 UTC, and hourly while a version is missing, also if it is held.
 */
export function isRunDue(state: Omit<ScheduleState, 'held'>): boolean {
  const { nowMs, newest, lastStartedMs } = state;
  if (missedVersions(newest, nowMs) === 0) return false;
  if (state.isStart || lastStartedMs === undefined) return true;
  // A clock that was set back must not stop the job.
  if (lastStartedMs > nowMs) return true;

  const hasRunSinceDue = newestDueVersion(lastStartedMs) === newestDueVersion(nowMs);
  const retryMs = newest === undefined ? firstRetryMs : hourMs;
  return !hasRunSinceDue || nowMs - lastStartedMs >= retryMs;
}

/** The next moment at which {@link isRunDue} is true. */
export function nextRunMs(state: ScheduleState): number | undefined {
  const { nowMs, lastStartedMs = nowMs } = state;
  const due = newestDueVersion(nowMs);
  return findNextRun(isRunDue, state, [
    lastStartedMs + firstRetryMs,
    lastStartedMs + hourMs,
    // The version of tomorrow may be published already: in Brussels its day begins before midnight UTC.
    ...[1, 2].map((days) => momentIn('UTC', addDays(due, days), 0) + dailyRunMs),
  ]);
}

/** The moment of the next scheduled run that queries a version later than the newest; undefined if none does. */
export function askedAgainMs(version: IsoDate, state: ScheduleState): number | undefined {
  const nextMs = nextRunMs(state);
  if (nextMs === undefined) return undefined;
  // A run queries the days up to its last one, and leaves out those that are held, except that one.
  const last = state.newest === undefined ? versionAt(nextMs) : newestDueVersion(nextMs);
  if (version < last) return undefined;
  return version === last ? nextMs : midnightOf(version) + dailyRunMs;
}
