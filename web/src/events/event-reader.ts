import type { Failure, RequestOutcome } from '../session/failure.ts';
import { nextDelayMs } from '../session/poll.ts';
import type { EventPage, LoggedEvent } from '../wire.ts';

/** Events in one request, the most that the service answers. */
export const pageSize = 500;
/** Requests that read the log before the visitor has to decide whether to go on. */
export const pagesMax = 10;
/** The newest events that are kept and shown. */
export const shownMax = 200;
/** Less than the deadline of a request of the console. */
const waitSeconds = 15;
/** Between two requests if the service does not wait: it may be about to stop. */
const pauseMs = 1_000;

/** The part of the log that the view shows. */
export type LogState = {
  /** The newest first. */
  readonly events: readonly LoggedEvent[];
  /** Events read so far. */
  readonly readCount: number;
  /** `reading` from the oldest event on; `stopped` before the end of a large log; `live` at its end. */
  readonly phase: 'reading' | 'stopped' | 'live';
  /** Whether older events were skipped. */
  readonly isFromNow: boolean;
  /** Of the last request, which is repeated. */
  readonly failure: Failure | undefined;
};

/** The state before the first answer. */
export const nothingRead: LogState = {
  events: [],
  readCount: 0,
  phase: 'reading',
  isFromNow: false,
  failure: undefined,
};

type Options = {
  /** The types to read, separated by commas; '' for all. */
  readonly type: string;
  /** Rejects only if it was aborted. */
  readonly request: (path: string) => Promise<RequestOutcome<EventPage>>;
  readonly onChange: (state: LogState) => void;
};

/** The path of a page of the log. */
export function pathOf(fields: Readonly<Record<string, string>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== '');
  return `/events?${new URLSearchParams(given).toString()}`;
}

/**
 * Reads the event log and keeps its newest events.
 *
 * The log can only be read forwards, so it is read from the oldest event to its end, and then it waits for new events.
 * At any time there is at most one request or one timer. A tab that is not visible sends no requests.
 */
export class EventReader {
  readonly #options: Options;
  #state = nothingRead;
  #cursor = '';
  #pagesLeft = pagesMax;
  #delayMs = pauseMs;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isLoading = false;
  /** Whether the next request waits for its time, for the tab to be visible, or for the network. */
  #isWaiting = false;
  #hasEnded = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Reads the log from its oldest event, or from now on. */
  start(from: '' | 'now' = ''): void {
    this.#cursor = from;
    this.#change({ ...nothingRead, isFromNow: from === 'now' });
    this.readOn();
  }

  /** Reads the next pages of a log that is larger than the first ones. */
  readOn(): void {
    this.#pagesLeft = pagesMax;
    this.#change({ phase: 'reading' });
    void this.#load();
  }

  /** Repeats the request that failed, or begins again if the service no longer has the place in the log. */
  retry(): void {
    const { failure } = this.#state;
    if (failure?.kind === 'refused' && failure.status === 410) this.start();
    else void this.#load();
  }

  /** Follows the visibility of the tab and the network: it pauses, or requests soon. */
  follow(): void {
    clearTimeout(this.#timer);
    if (!this.#isWaiting || document.hidden) return;
    this.#delayMs = pauseMs;
    this.#timer = setTimeout(() => void this.#load(), 0);
  }

  end(): void {
    this.#hasEnded = true;
    this.#isWaiting = false;
    clearTimeout(this.#timer);
  }

  async #load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    clearTimeout(this.#timer);
    this.#isWaiting = false;
    const { request, type } = this.#options;
    const isLive = this.#state.phase === 'live';
    const fields = { after: this.#cursor, type, limit: String(pageSize) };
    const wait: Record<string, string> = isLive ? { waitSeconds: String(waitSeconds) } : {};
    const beganMs = performance.now();
    let outcome: RequestOutcome<EventPage>;
    try {
      outcome = await request(pathOf({ ...fields, ...wait }));
    } catch {
      // The visitor left the view, or chose another type.
      return;
    }
    this.#isLoading = false;
    if (this.#hasEnded) return;
    if (outcome.kind === 'failed') this.#fail(outcome.failure);
    else this.#take(outcome.data, performance.now() - beganMs);
  }

  #fail(failure: Failure): void {
    this.#change({ failure });
    const { kind } = failure;
    const isPassing = kind !== 'refused' || failure.status >= 500 || failure.status === 429;
    if (!isPassing) return;
    const retryAfterMs = kind === 'refused' ? (failure.retryAfterSeconds ?? 0) * 1_000 : 0;
    this.#delayMs = nextDelayMs(this.#delayMs, false);
    this.#wait(Math.max(this.#delayMs, retryAfterMs));
  }

  #take({ events, nextCursor, hasMore }: EventPage, tookMs: number): void {
    this.#cursor = nextCursor;
    this.#delayMs = pauseMs;
    this.#pagesLeft -= 1;
    const newest = [...events].reverse();
    const isStopped = hasMore && this.#state.phase === 'reading' && this.#pagesLeft === 0;
    this.#change({
      events: [...newest, ...this.#state.events].slice(0, shownMax),
      readCount: this.#state.readCount + events.length,
      phase: isStopped ? 'stopped' : hasMore ? this.#state.phase : 'live',
      failure: undefined,
    });
    if (isStopped) return;
    this.#wait(hasMore || tookMs >= pauseMs ? 0 : pauseMs - tookMs);
  }

  #wait(ms: number): void {
    this.#isWaiting = true;
    if (!document.hidden) this.#timer = setTimeout(() => void this.#load(), ms);
  }

  #change(changes: Partial<LogState>): void {
    this.#state = { ...this.#state, ...changes };
    this.#options.onChange(this.#state);
  }
}
