/** A real calendar date as `YYYY-MM-DD`; made only by {@link parseIsoDate} and the functions here. */
export type IsoDate = string & { readonly __brand: 'IsoDate' };

/** The time source. Everything that needs the time receives one of these. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const dayMs = 86_400_000;
/** The last day of each month of a year that is no leap year. */
const lastDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const datePattern = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/**
 * Reads a date as interface 1 writes it.
 *
 * Undefined for anything that is not exactly `YYYY-MM-DD` in ASCII digits, or not in the calendar:
 * `2026-02-30`, `2026-2-3`, full-width digits.
 */
export function parseIsoDate(text: string): IsoDate | undefined {
  if (!datePattern.test(text)) return undefined;

  const year = Number(text.slice(0, 4));
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  const lastDay = countDays(year, month);
  return year >= 1 && day >= 1 && day <= lastDay ? (text as IsoDate) : undefined;
}

/** Days of a month, which is 1 to 12; 0 for any other number. */
function countDays(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (lastDays[month - 1] ?? 0);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Reads a date that this program wrote; any other text is a bug and throws. */
export function isoDate(text: string): IsoDate {
  const date = parseIsoDate(text);
  if (date === undefined) throw new Error(`not a calendar date: ${JSON.stringify(text)}`);
  return date;
}

/** The calendar date of a moment in a time zone, e.g. `Europe/Brussels`. */
export function dateIn(timeZone: string, epochMs: number): IsoDate {
  return zoned(timeZone, epochMs).toPlainDate().toString() as IsoDate;
}

/** The end of the UTC day of a moment, both in epoch milliseconds. */
export function endOfUtcDay(epochMs: number): number {
  return (Math.floor(epochMs / dayMs) + 1) * dayMs;
}

/** Minutes since local midnight of a moment in a time zone: 16:05 is 965. */
export function minuteOfDayIn(timeZone: string, epochMs: number): number {
  const time = zoned(timeZone, epochMs).toPlainTime();
  return time.hour * 60 + time.minute;
}

/** The calendar date of a moment in a time zone, and the minutes since its midnight. */
export function wallClockIn(
  timeZone: string,
  epochMs: number,
): { readonly date: IsoDate; readonly minuteOfDay: number } {
  const [date = '', time = ''] = zoned(timeZone, epochMs).toPlainDateTime().toString().split('T');
  const minuteOfDay = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
  return { date: date as IsoDate, minuteOfDay };
}

/** The moment at which a wall clock in a time zone shows a date and a minute of the day. */
export function momentIn(timeZone: string, date: IsoDate, minuteOfDay: number): number {
  const time = Temporal.PlainTime.from({
    hour: Math.trunc(minuteOfDay / 60),
    minute: minuteOfDay % 60,
  });
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, plainTime: time })
    .epochMilliseconds;
}

/** The date so many days later, or earlier if the number is negative. */
export function addDays(date: IsoDate, days: number): IsoDate {
  // A third of the time of Temporal: the proof of a rate by law goes over days one by one.
  const [sum = ''] = new Date(midnightOf(date) + days * dayMs).toISOString().split('T');
  return sum as IsoDate;
}

/** The moment at which a date begins in UTC. */
export function midnightOf(date: IsoDate): number {
  return Date.parse(date);
}

/** The first day of a date's month, and of the month after it. */
export function monthOf(date: IsoDate): { readonly first: IsoDate; readonly nextFirst: IsoDate } {
  const first = Temporal.PlainDate.from(date).with({ day: 1 });
  return {
    first: first.toString() as IsoDate,
    nextFirst: first.add({ months: 1 }).toString() as IsoDate,
  };
}

/** The last day of a month, which is 1 to 12, of a year from 0 to 9999. */
export function lastDateOf(year: number, month: number): IsoDate {
  const digits = [String(year).padStart(4, '0'), String(month).padStart(2, '0')];
  return [...digits, countDays(year, month)].join('-') as IsoDate;
}

/** Whole days from one date to another; negative if `to` is earlier. */
export function daysBetween(from: IsoDate, to: IsoDate): number {
  return Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days;
}

/** 1 for Monday to 7 for Sunday. */
export function dayOfWeek(date: IsoDate): number {
  return new Date(midnightOf(date)).getUTCDay() || 7;
}

/** A moment as ISO 8601 in UTC with milliseconds, the form of every stored and answered instant. */
export function formatInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

function zoned(timeZone: string, epochMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone);
}
