/** How far a delay may be from its step, so that what failed together does not come back together. */
const jitter = 0.2;

/** A receiver may put an attempt off, to this multiple of the step and no further. */
const retryAfterStepsMax = 2;

/**
 * Milliseconds from the last attempt, or from the event when there was none, to the next one
 * (contract C29).
 *
 * Each step is taken ±20 %; a step of 0 stays 0. A Retry-After that is longer than that is honoured up to
 * twice the step, and a shorter one changes nothing. Undefined when the schedule is exhausted.
 */
export function nextAttemptDelayMs(options: {
  /** Seconds before each attempt, the first included. */
  readonly scheduleSeconds: readonly number[];
  /** Failed ones; 0 before the first. */
  readonly attemptsMade: number;
  /** From 0, inclusive, to 1, exclusive. */
  readonly random: number;
  /** What the last answer asked for, read by {@link parseRetryAfter}. */
  readonly retryAfterSeconds: number | undefined;
}): number | undefined {
  const stepSeconds = options.scheduleSeconds[options.attemptsMade];
  if (stepSeconds === undefined) return undefined;

  const stepMs = stepSeconds * 1_000;
  const jitteredMs = Math.round(stepMs * (1 - jitter + 2 * jitter * options.random));
  const askedMs = (options.retryAfterSeconds ?? 0) * 1_000;
  return Math.max(jitteredMs, Math.min(askedMs, stepMs * retryAfterStepsMax));
}

/** What a number of seconds too large to be meant is read as (RFC 9111 §1.2.2). */
const secondsMax = 2 ** 31;

/**
 * Reads a `Retry-After` header as seconds from now: a number of them, or an HTTP date
 * (RFC 9110 §10.2.3).
 *
 * A date in the past is 0, a part of a second counts as a whole one, and whatever is neither number nor
 * date is undefined. Nothing is capped here to what is sensible.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^[0-9]+$/.test(header)) return Math.min(Number(header), secondsMax);

  const atMs = parseHttpDate(header, nowMs);
  return atMs === undefined ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** The form that is sent today and the two that must still be understood (RFC 9110 §5.6.7). */
const dateForms = [
  /^[A-Z][a-z]{2}, (?<day>[0-9]{2}) (?<month>[A-Z][a-z]{2}) (?<year>[0-9]{4}) (?<time>[0-9:]{8}) GMT$/,
  /^[A-Z][a-z]+day, (?<day>[0-9]{2})-(?<month>[A-Z][a-z]{2})-(?<year>[0-9]{2}) (?<time>[0-9:]{8}) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ 0-9][0-9]) (?<time>[0-9:]{8}) (?<year>[0-9]{4})$/,
] as const;

/** Milliseconds since 1970; the name of the weekday is not compared with the date. */
function parseHttpDate(text: string, nowMs: number): number | undefined {
  const found = dateForms.map((form) => form.exec(text)?.groups).find((groups) => groups);
  if (found === undefined) return undefined;

  const { day = '', month = '', year = '', time = '' } = found;
  const monthNumber = String(months.indexOf(month) + 1).padStart(2, '0');
  const fullYear = year.length === 2 ? completeYear(Number(year), nowMs) : year;
  try {
    const written = `${fullYear}-${monthNumber}-${day.replace(' ', '0')}T${time}Z`;
    return Temporal.Instant.from(written).epochMilliseconds;
  } catch {
    return undefined;
  }
}

/** Two digits mean the year in our century, or the one before if that is more than 50 years away. */
function completeYear(twoDigits: number, nowMs: number): number {
  const { year } = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO('UTC');
  const inThisCentury = year - (year % 100) + twoDigits;
  return inThisCentury > year + 50 ? inThisCentury - 100 : inThisCentury;
}
