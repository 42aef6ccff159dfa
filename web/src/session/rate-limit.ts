import type { RequestOutcome } from './failure.ts';

/** The longest wait for a rate limit; a longer one is a failure. */
const waitSecondsMax = 120;

/** Repeats a request that the rate limit has refused, as soon as the service allows it. Any other failure is returned. */
export async function withinRateLimit<T>(
  request: () => Promise<RequestOutcome<T>>,
): Promise<RequestOutcome<T>> {
  for (;;) {
    const outcome = await request();
    if (outcome.kind === 'answered') return outcome;
    const { failure } = outcome;
    const seconds = failure.kind === 'refused' ? failure.retryAfterSeconds : undefined;
    const isLimit = failure.kind === 'refused' && failure.error === 'RATE_LIMITED';
    if (!isLimit || seconds === undefined || seconds > waitSecondsMax) return outcome;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  }
}
