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
import type { PublicationDays } from './calendar.ts';

const pollMs = 3 * 60_000;
const hourMs = 3_600_000;
/** A run at night begins so long after midnight, because the clock of the machine may be ahead. */
const nightMs = 5 * 60_000;
/** At most so many days lie between two publications: at Easter, and at Christmas beside a weekend, five. */
const daysBetweenPublicationsMax = 7;

/** When a bank publishes. */
type PublicationTimes = {
  /** The zone of its wall clock, which is one to three hours ahead of UTC. */
  readonly timeZone: string;
  /** The minute of the day from which the publication of that day is expected. */
  readonly publicationMinute: number;
  readonly days: PublicationDays;
  /** Whether the bank is also read when a day has begun: its answers then show what the day before had. Default: false. */
  readonly isReadAtNight?: boolean;
};

/** The days and moments of a bank's publications, and when its job is due (contract C18). It reads no clock. */
export class Timetable {
  readonly days: PublicationDays;
  readonly #timeZone: string;
  readonly #publicationMinute: number;
  readonly #isReadAtNight: boolean;

  constructor({ timeZone, publicationMinute, days, isReadAtNight = false }: PublicationTimes) {
    this.days = days;
    this.#timeZone = timeZone;
    this.#publicationMinute = publicationMinute;
    this.#isReadAtNight = isReadAtNight;
  }

  /** Today's date where the bank is. */
  today(nowMs: number): IsoDate {
    return dateIn(this.#timeZone, nowMs);
  }

  /** Whether a day has ended where the bank is. */
  isOver(date: IsoDate, nowMs: number): boolean {
    // The zone is ahead of UTC, so most days need no calculation of time zones.
    return nowMs >= midnightOf(date) + dayMs || this.today(nowMs) > date;
  }

  /** The moment at which a day ends where the bank is. */
  endOf(date: IsoDate): number {
    return momentIn(this.#timeZone, addDays(date, 1), 0);
  }

  /** The newest day whose publication is available at a moment, if it has one: from the expected minute on, that day. */
  newestAvailableDay(atMs: number): IsoDate {
    // The zone is one to three hours ahead of UTC, so most moments need no calculation of time zones, which takes 10 µs.
    const [day = '', time = ''] = formatInstant(atMs).split('T');
    const minute = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
    if (minute < this.#publicationMinute - 180) return addDays(day as IsoDate, -1);
    if (minute >= this.#publicationMinute - 60) return day as IsoDate;
    const { date, minuteOfDay } = wallClockIn(this.#timeZone, atMs);
    return minuteOfDay >= this.#publicationMinute ? date : addDays(date, -1);
  }

  /** The newest publication that should exist: from the expected minute on, today's. */
  newestDueDate(nowMs: number): IsoDate {
    return this.days.newestPublicationDay(this.newestAvailableDay(nowMs));
  }

  /**
   * The next time at which a day without a stored publication can be decided: the expected minute of its publication, and if
   * that has passed, the next run of the job. A day that should have none is decided by a run after its end. A held
   * publication waits for an operator, so it is looked at again in an hour.
   */
  nextArrivalMs(
    day: { readonly date: IsoDate; readonly isHeld: boolean; readonly newest: IsoDate | undefined },
    nowMs: number,
  ): number {
    const { date, isHeld, newest } = day;
    const isOpen = this.days.isPublicationDay(date);
    const publishedMs = this.#publishedMsOf(date);
    if (isOpen && nowMs < publishedMs) return publishedMs;
    if (isHeld) return nowMs + hourMs;
    const isOver = this.isOver(date, nowMs);
    if (isOpen && !isOver) return Math.min(nowMs + pollMs, this.endOf(date));
    const readMs = this.endOf(date) + (this.#isReadAtNight ? nightMs : 0);
    if (nowMs < readMs) return readMs;
    const state = { nowMs, newest, held: [], lastStartedMs: nowMs, isStart: false };
    return this.nextRunMs(state) ?? nowMs + hourMs;
  }

  /** The number of publications that are due and not stored; 0 means up to date. */
  countMissed(newest: IsoDate | undefined, nowMs: number): number {
    if (newest === undefined) return 1;
    return this.days.countPublicationDays(newest, this.newestDueDate(nowMs));
  }

  /**
   * Whether a scheduled run should start now (contract C18).
   *
   * From the expected minute of a publication day on: every few minutes until the day's rates are stored, then hourly
   * until midnight for corrections. At other times: hourly while a publication is missing. A bank that is read at night
   * also has a run when a day has begun, hourly runs after one that failed, and one when a second answer about a day without
   * a publication is due (rule N7b).
   */
  isRunDue(state: ScheduleState): boolean {
    const { nowMs, newest, held, lastStartedMs, secondAnswerMs = Infinity } = state;
    const isSecondDue = nowMs >= secondAnswerMs;
    const today = this.today(nowMs);
    const missed = this.countMissed(newest, nowMs);
    const isAfternoon =
      this.days.isPublicationDay(today) &&
      minuteOfDayIn(this.#timeZone, nowMs) >= this.#publicationMinute;
    const isQuiet = missed === 0 && !isAfternoon && !isSecondDue;
    if (isQuiet && !this.#isNightRunDue(state, today)) return false;
    if (lastStartedMs === undefined || (state.isStart && missed > 0)) return true;
    // A clock that was set back must not stop the job.
    if (lastStartedMs > nowMs || this.#isNightRun(state, today)) return true;
    if (isSecondDue && lastStartedMs < secondAnswerMs) return true;

    const isAwaited = isAfternoon && missed > 0 && !held.includes(today);
    const intervalMs = isAwaited || newest === undefined ? pollMs : hourMs;
    return nowMs - lastStartedMs >= intervalMs;
  }

  /** The next moment at which {@link isRunDue} is true. */
  nextRunMs(state: ScheduleState): number | undefined {
    const { nowMs, lastStartedMs = nowMs, secondAnswerMs } = state;
    const today = this.today(nowMs);
    const days = Array.from({ length: daysBetweenPublicationsMax + 1 }, (_, after) =>
      addDays(today, after),
    );
    return findNextRun((at) => this.isRunDue(at), state, [
      lastStartedMs + pollMs,
      lastStartedMs + hourMs,
      ...(secondAnswerMs === undefined ? [] : [secondAnswerMs]),
      ...(this.#isReadAtNight ? [addDays(today, -1), today] : []).map(
        (day) => this.endOf(day) + nightMs,
      ),
      ...days.filter(this.days.isPublicationDay).map((day) => this.#publishedMsOf(day)),
    ]);
  }

  #publishedMsOf(date: IsoDate): number {
    return momentIn(this.#timeZone, date, this.#publicationMinute);
  }

  /** Whether a bank that is read at night may have a run now although nothing is missed. */
  #isNightRunDue(state: ScheduleState, today: IsoDate): boolean {
    if (!this.#isReadAtNight || state.lastStartedMs === undefined) return this.#isReadAtNight;
    return state.hasFailed === true || this.#isNightRun(state, today);
  }

  /** Whether a run now would be the first one since midnight. */
  #isNightRun({ lastStartedMs, nowMs }: ScheduleState, today: IsoDate): boolean {
    if (!this.#isReadAtNight || lastStartedMs === undefined) return false;
    const begunMs = this.endOf(addDays(today, -1));
    return lastStartedMs < begunMs && nowMs >= begunMs + nightMs;
  }
}
