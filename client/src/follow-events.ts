import type { EventType } from './api-types.ts';
import { wait } from './attempt.ts';
import type { EventPage, EventQuery, LoggedEvent } from './logged-event.ts';
import { queryString } from './path.ts';
import { isOutage, nextDelayMs } from './retry.ts';
import { type CallOptions, type Transport, withRates } from './transport.ts';

/** The options of a loop over events. */
export type FollowOptions = {
  /** Ends the loop immediately, without an error. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with the cursor of a page when all its events have been handled, also if it has none. Store it: unlike the
   * cursor of the last event, it does not expire while no event happens.
   */
  readonly onCursor?: ((cursor: string) => void | Promise<void>) | undefined;
  /** Called when a request has failed, before the loop waits and repeats it; for your log. */
  readonly onRetry?: ((error: Error, delayMs: number) => void) | undefined;
};

/** The longest wait of the service, because it needs the fewest requests. */
const waitSecondsDefault = 30;
/** Between two requests, if the service does not wait: it may be about to stop. */
const pauseMs = 1_000;
const delays = { firstMs: 1_000, maxMs: 30_000 } as const;
/** A longer `Retry-After` is too large for a timer. */
const retryAfterMaxMs = 86_400_000;

/** Reads one page of the event log. */
export async function readEventPage<T extends EventType>(
  transport: Transport,
  { after, type, limit, waitSeconds }: EventQuery<T>,
  options: CallOptions = {},
): Promise<EventPage<T>> {
  const types = typeof type === 'string' ? type : type?.join(',');
  const path = `/events${queryString({ after, type: types, limit, waitSeconds })}`;
  const patient = transport.withTimeFor((waitSeconds ?? 0) * 1_000, options);
  return transport.read(path, withRates('events'), patient);
}

/**
 * Reads the event log without end: each event once, in order (rules E3 and E7).
 *
 * After an outage it continues at the last cursor, however long the outage lasts. Any other error is thrown.
 */
export async function* followEvents<T extends EventType>(
  transport: Transport,
  { after, waitSeconds = waitSecondsDefault, ...query }: EventQuery<T>,
  { signal, onCursor, onRetry }: FollowOptions,
): AsyncGenerator<LoggedEvent<T>, void, undefined> {
  const isAborted = (): boolean => signal?.aborted === true;
  let cursor = after;
  let failures = 0;
  while (!isAborted()) {
    const beganMs = performance.now();
    let page: EventPage<T>;
    try {
      page = await readEventPage(transport, { ...query, after: cursor, waitSeconds }, { signal });
      failures = 0;
    } catch (error) {
      if (isAborted()) return;
      if (!isOutage(error)) throw error;
      failures += 1;
      const delayMs = Math.min(nextDelayMs(error, failures, delays), retryAfterMaxMs);
      onRetry?.(error, delayMs);
      await pause(delayMs, signal);
      continue;
    }
    for (const event of page.events) {
      yield event;
      if (isAborted()) return;
    }
    const isNew = page.nextCursor !== cursor;
    const isFirst = cursor === 'now';
    cursor = page.nextCursor;
    if (isNew) await onCursor?.(cursor);
    const leftMs = beganMs + pauseMs - performance.now();
    if (page.events.length === 0 && leftMs > 0 && !isFirst) await pause(leftMs, signal);
  }
}

/** Waits, at most until the signal is aborted. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await wait(ms, signal).catch(() => {});
}
