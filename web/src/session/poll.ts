import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Failure, RequestOutcome } from './failure.ts';
import type { Load } from './load.ts';
import { useApi } from './session.ts';

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/** The wait before the next request: short after a change, and longer after each request without one. */
export function nextDelayMs(delayMs: number, hasChanged: boolean): number {
  return hasChanged ? firstDelayMs : Math.min(delayMs * 1.5, longestDelayMs);
}

type Polled<T> = {
  readonly data: T | undefined;
  readonly failure: Failure | undefined;
};

/**
 * Loads a path, and again with growing delays as long as the answer is pending. A tab that is not visible sends no
 * requests. After a failed repetition the data stays, with the failure next to it. Undefined loads nothing.
 *
 * @param isPending - Whether an answer can still change. It must be the same function on each render.
 */
export function usePoll<T>(path: string | undefined, isPending: (data: T) => boolean): Load<T> {
  const api = useApi();
  const [polled, setPolled] = useState<Polled<T>>({ data: undefined, failure: undefined });
  const [isLoading, setLoading] = useState(path !== undefined);
  const [reloadCount, setReloadCount] = useState(0);
  const reload = useCallback(() => setReloadCount((count) => count + 1), []);

  useEffect(() => {
    setLoading(path !== undefined);
    if (path === undefined) {
      setPolled({ data: undefined, failure: undefined });
      return undefined;
    }
    const abort = new AbortController();
    const poll = new Poll<T>({
      request: async () => api.get<T>(path, abort.signal),
      isPending,
      onChange: (next) => {
        setLoading(false);
        setPolled(next);
      },
    });
    const follow = (): void => poll.follow();
    document.addEventListener('visibilitychange', follow);
    addEventListener('online', follow);
    void poll.load();
    return () => {
      document.removeEventListener('visibilitychange', follow);
      removeEventListener('online', follow);
      abort.abort();
      poll.end();
    };
  }, [api, path, isPending, reloadCount]);

  return { ...polled, isLoading, reload };
}

type PollOptions<T> = {
  /** Rejects only if it was aborted. */
  readonly request: () => Promise<RequestOutcome<T>>;
  readonly isPending: (data: T) => boolean;
  readonly onChange: (polled: Polled<T>) => void;
};

/** The repetitions of one request. At any time there is at most one request or one timer. */
class Poll<T> {
  readonly #options: PollOptions<T>;
  #data: T | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #delayMs = firstDelayMs;
  /** Whether the next request waits for its time, for the tab to be visible, or for the network. */
  #isWaiting = false;

  constructor(options: PollOptions<T>) {
    this.#options = options;
  }

  async load(): Promise<void> {
    const { request, isPending, onChange } = this.#options;
    this.#isWaiting = false;
    let outcome: RequestOutcome<T>;
    try {
      outcome = await request();
    } catch {
      // The visitor left the view, or the path changed.
      return;
    }
    if (outcome.kind === 'failed') {
      onChange({ data: this.#data, failure: outcome.failure });
      this.#isWaiting = true;
      // Without data the visitor repeats the request, or the network that is back.
      if (this.#data !== undefined) this.#wait(false);
      return;
    }
    const hasChanged = JSON.stringify(outcome.data) !== JSON.stringify(this.#data);
    this.#data = outcome.data;
    onChange({ data: outcome.data, failure: undefined });
    if (isPending(outcome.data)) this.#wait(hasChanged);
  }

  /** Follows the visibility of the tab and the network: it pauses, or requests soon. */
  follow(): void {
    clearTimeout(this.#timer);
    if (!this.#isWaiting || document.hidden) return;
    this.#delayMs = firstDelayMs;
    this.#schedule();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#isWaiting = false;
  }

  #wait(hasChanged: boolean): void {
    this.#delayMs = nextDelayMs(this.#delayMs, hasChanged);
    this.#isWaiting = true;
    if (!document.hidden) this.#schedule();
  }

  #schedule(): void {
    this.#timer = setTimeout(() => void this.load(), this.#delayMs);
  }
}
