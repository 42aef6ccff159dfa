const minuteMs = 60_000;

/** Milliseconds from the end of a failed attempt to the next one; the last step repeats (rule K8). */
const stepsMs = [1, 5, 15, 60].map((minutes) => minutes * minuteMs);

/** Largest deviation of a delay from its step, so that checks that failed together are not repeated together. */
const jitter = 0.1;

/** A false answer near an outage is confirmed after this time at the earliest (rule K9). */
const confirmationMs = minuteMs;

/**
 * Milliseconds from the end of a failed attempt to the next one: 1, 5, 15 and 60 minutes, then every hour, each ±10 %.
 *
 * @param attempts - Attempts made, from 1.
 * @param random - From 0, inclusive, to 1, exclusive.
 */
export function delayAfterFailureMs(attempts: number, random: number): number {
  const stepMs = stepsMs[Math.min(attempts, stepsMs.length) - 1] ?? 0;
  return Math.round(stepMs * (1 - jitter + 2 * jitter * random));
}

/** Milliseconds from a false answer to the query that confirms it: never less than 60 s, up to 10 % more. */
export function delayBeforeConfirmationMs(random: number): number {
  return Math.round(confirmationMs * (1 + jitter * random));
}
