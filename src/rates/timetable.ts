import { addDays, dateIn, daysBetween, type IsoDate } from '../platform/time.ts';

/** Member States set their rates by Brussels' calendar (contract C12). */
const versionTimeZone = 'Europe/Brussels';
/** The daily run is at 07:00 UTC (interface 1). */
const dailyRunMs = 7 * 3_600_000;
const hourMs = 3_600_000;
/** Until something is published, callers get 404: ask again sooner. */
const firstRetryMs = 5 * 60_000;
/** A gap longer than this is filled from its newer end only; `backfill` has the rest. */
const catchUpDaysMax = 400;

/** The version that a run asks for: the calendar date of the moment in Brussels. */
export function versionAt(nowMs: number): IsoDate {
  return dateIn(versionTimeZone, nowMs);
}

/** The version of the newest daily run that should have happened. */
export function newestDueVersion(nowMs: number): IsoDate {
  return dateIn('UTC', nowMs - dailyRunMs);
}

/**
 * The versions that a run asks for, oldest first: every day since the newest published one.
 *
 * A service that was down for a week thus has the rows and events of that week, each with its own date,
 * as if it had never been down. A day that is held is left to the operator, but for the last one, which
 * the upstream may have mended.
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

/** How many daily runs have passed without a publication; 0 is fresh. */
export function missedVersions(newest: IsoDate | undefined, nowMs: number): number {
  return newest === undefined ? 1 : Math.max(0, daysBetween(newest, newestDueVersion(nowMs)));
}

/**
 * Whether the scheduled run should start now: at 07:00 UTC, and hourly while a version is missing.
 *
 * @param lastStartedMs The start of the last run, by whatever process; undefined when there was none.
 */
export function isRunDue(state: {
  readonly nowMs: number;
  readonly newest: IsoDate | undefined;
  readonly lastStartedMs: number | undefined;
  /** The first question since the process started: what is missing is fetched at once. */
  readonly isStart: boolean;
}): boolean {
  const { nowMs, newest, lastStartedMs } = state;
  if (missedVersions(newest, nowMs) === 0) return false;
  if (state.isStart || lastStartedMs === undefined) return true;
  // A clock that was set back must not silence the timetable.
  if (lastStartedMs > nowMs) return true;

  const hasRunSinceDue = newestDueVersion(lastStartedMs) === newestDueVersion(nowMs);
  const retryMs = newest === undefined ? firstRetryMs : hourMs;
  return !hasRunSinceDue || nowMs - lastStartedMs >= retryMs;
}
