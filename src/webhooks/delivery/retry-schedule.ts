/** Largest deviation of a delay from its step, so that deliveries that failed together are not retried together. */
const jitter = 0.2;

/** A `Retry-After` can delay an attempt to at most this multiple of the step. */
const retryAfterStepsMax = 2;

/**
 * Milliseconds from the last attempt to the next one; before the first attempt, from the event (contract C29).
 *
 * Each step varies by ±20 %; a step of 0 stays 0. A longer `Retry-After` is honoured up to twice the step, a shorter
 * one is ignored. Undefined if the schedule is exhausted.
 */
export function nextAttemptDelayMs(options: {
  /** Seconds before each attempt, the first included. */
  readonly scheduleSeconds: readonly number[];
  /** Failed attempts; 0 before the first. */
  readonly attemptsMade: number;
  /** From 0, inclusive, to 1, exclusive. */
  readonly random: number;
  /** `Retry-After` of the last answer, parsed by {@link parseRetryAfter}. */
  readonly retryAfterSeconds: number | undefined;
}): number | undefined {
  const stepSeconds = options.scheduleSeconds[options.attemptsMade];
  if (stepSeconds === undefined) return undefined;

  const stepMs = stepSeconds * 1_000;
  const jitteredMs = Math.round(stepMs * (1 - jitter + 2 * jitter * options.random));
  const retryAfterMs = (options.retryAfterSeconds ?? 0) * 1_000;
  return Math.max(jitteredMs, Math.min(retryAfterMs, stepMs * retryAfterStepsMax));
}

/** Larger numbers of seconds are read as this one (RFC 9111 §1.2.2). */
const secondsMax = 2 ** 31;

/**
 * Parses a `Retry-After` header, a number of seconds or an HTTP date, to seconds from now (RFC 9110 §10.2.3).
 *
 * A date in the past is 0; fractions of a second are rounded up. Undefined for any other text.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^[0-9]+$/.test(header)) return Math.min(Number(header), secondsMax);

  const atMs = parseHttpDate(header, nowMs);
  return atMs === undefined ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** The current form of HTTP dates, and two obsolete forms that must still be accepted (RFC 9110 §5.6.7). */
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

/** Completes a year of two digits in this century, or in the last one if that is more than 50 years ahead. */
function completeYear(twoDigits: number, nowMs: number): number {
  const { year } = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO('UTC');
  const inThisCentury = year - (year % 100) + twoDigits;
  return inThisCentury > year + 50 ? inThisCentury - 100 : inThisCentury;
}
