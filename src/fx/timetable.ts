import type { ScheduleState } from '../platform/publication/data-set.ts';
import { findNextRun } from '../platform/publication/next-run.ts';
import {
  addDays,
  dateIn,
  dayMs,
  formatInstant,
  type IsoDate,
  midnightOf,
  minuteOfDayIn,
  momentIn,
  wallClockIn,
} from '../platform/time/time.ts';
import { countPublicationDays, isPublicationDay, newestPublicationDay } from './calendar.ts';

/** "16:00 CET" means the wall clock in Frankfurt, in summer too (contract C18). */
const timeZone = 'Europe/Berlin';
const publicationMinute = 16 * 60;
const pollMs = 3 * 60_000;
const hourMs = 3_600_000;
/** At most so many days lie between two publications: at Easter, and at Christmas beside a weekend, five. */
const closureDaysMax = 7;

/** Today's date in Frankfurt. */
export function todayInFrankfurt(nowMs: number): IsoDate {
  return dateIn(timeZone, nowMs);
}

/** Whether a day has ended in Frankfurt. */
export function isOver(date: IsoDate, nowMs: number): boolean {
  // Frankfurt is ahead of UTC, so most days need no calculation of time zones.
  return nowMs >= midnightOf(date) + dayMs || todayInFrankfurt(nowMs) > date;
}

/** The newest day whose publication is available at a moment, if it has one: from 16:00 in Frankfurt on, that day. */
export function newestAvailableDay(atMs: number): IsoDate {
  // Frankfurt is one or two hours ahead of UTC, so most moments need no calculation of time zones, which takes 10 µs.
  const [day = '', time = ''] = formatInstant(atMs).split('T');
  if (time < '14') return addDays(day as IsoDate, -1);
  if (time >= '15') return day as IsoDate;
  const { date, minuteOfDay } = wallClockIn(timeZone, atMs);
  return minuteOfDay >= publicationMinute ? date : addDays(date, -1);
}

/** The newest publication that should exist: from 16:00 on, today's. */
export function newestDueDate(nowMs: number): IsoDate {
  return newestPublicationDay(newestAvailableDay(nowMs));
}

/**
 * The next time at which a publication that is not stored can be: 16:00 of its day, and if that has passed, the next
 * run of the job. A held publication waits for an operator, so it is expected as late as one of an earlier day.
 */
export function nextArrivalMs(
  { date, isHeld }: { readonly date: IsoDate; readonly isHeld: boolean },
  nowMs: number,
): number {
  const publishedMs = momentIn(timeZone, date, publicationMinute);
  if (nowMs < publishedMs) return publishedMs;
  const isAwaited = date === todayInFrankfurt(nowMs) && !isHeld;
  return nowMs + (isAwaited ? pollMs : hourMs);
}

/** The moment at which a day ends in Frankfurt. */
export function endOf(date: IsoDate): number {
  return momentIn(timeZone, addDays(date, 1), 0);
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

/** The next moment at which {@link isRunDue} is true. */
export function nextRunMs(state: ScheduleState): number | undefined {
  const { nowMs, lastStartedMs = nowMs } = state;
  const today = todayInFrankfurt(nowMs);
  const days = Array.from({ length: closureDaysMax + 1 }, (_, after) => addDays(today, after));
  return findNextRun(isRunDue, state, [
    lastStartedMs + pollMs,
    lastStartedMs + hourMs,
    ...days.filter(isPublicationDay).map((day) => momentIn(timeZone, day, publicationMinute)),
  ]);
}
