import type { ScheduleState } from '../platform/publication/data-set.ts';
import { addDays, dateIn, type IsoDate, minuteOfDayIn } from '../platform/time.ts';
import { countPublicationDays, isPublicationDay, newestPublicationDay } from './calendar.ts';

/** "16:00 CET" means the wall clock in Frankfurt, in summer too (contract C18). */
const timeZone = 'Europe/Berlin';
const publicationMinute = 16 * 60;
const pollMs = 3 * 60_000;
const hourMs = 3_600_000;

/** Today's date in Frankfurt. */
export function todayInFrankfurt(nowMs: number): IsoDate {
  return dateIn(timeZone, nowMs);
}

/** The newest publication that should exist: from 16:00 on, today's. */
export function newestDueDate(nowMs: number): IsoDate {
  const today = todayInFrankfurt(nowMs);
  const isOut = minuteOfDayIn(timeZone, nowMs) >= publicationMinute;
  return newestPublicationDay(isOut ? today : addDays(today, -1));
}

/** The number of publications that are due and not stored; 0 means up to date. */
export function missedPublications(newest: IsoDate | undefined, nowMs: number): number {
  return newest === undefined ? 1 : countPublicationDays(newest, newestDueDate(nowMs));
}

/**
 * Whether a scheduled run should start now (contract C18).
 *
 * From 16:00 on a publication day: every few minutes until the day's rates are stored, then hourly until
 * midnight for corrections. At other times: hourly while a publication is missing.
 */
export function isRunDue(state: ScheduleState): boolean {
  const { nowMs, newest, held, lastStartedMs } = state;
  const today = todayInFrankfurt(nowMs);
  const missed = missedPublications(newest, nowMs);
  const isAfternoon =
    isPublicationDay(today) && minuteOfDayIn(timeZone, nowMs) >= publicationMinute;
  if (missed === 0 && !isAfternoon) return false;
  if (lastStartedMs === undefined || (state.isStart && missed > 0)) return true;
  // A clock that was set back must not stop the job.
  if (lastStartedMs > nowMs) return true;

  const isAwaited = isAfternoon && missed > 0 && !held.includes(today);
  const intervalMs = isAwaited || newest === undefined ? pollMs : hourMs;
  return nowMs - lastStartedMs >= intervalMs;
}
