import { AnswerCache, type CachedAnswer, type CacheLimits, readFreshness } from './answer-cache.ts';
import { makeAttempt, type Outgoing, wait } from './attempt.ts';
import { TimeoutError, UnexpectedAnswerError } from './errors.ts';
import { parseExactJson, parseJson } from './exact-json.ts';
import { type Received, toStatusError } from './refusal.ts';
import { isWorthRepeating, retryDelayMs, type RetryOptions } from './retry.ts';

/** What may differ from call to call. */
export type CallOptions = {
  /** Ends the call at once; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** For the call as a whole, waits included. 30,000 without it. */
  readonly timeoutMs?: number | undefined;
  /** For one request. 12,000 without it: a VAT check may take 10 s. */
  readonly attemptTimeoutMs?: number | undefined;
  /** `true` asks the service although a kept answer is still fresh; it costs a 304 when nothing is new. */
  readonly fresh?: boolean | undefined;
};

export type VatfxOptions = {
  /** Where the service is: `https://vat.example`, with a path where it is below one. */
  readonly url: string;
  /** The API key: `vfx_…`. */
  readonly key: string;
  readonly timeoutMs?: number | undefined;
  readonly attemptTimeoutMs?: number | undefined;
  readonly retry?: RetryOptions | undefined;
  readonly cache?:
    | (CacheLimits & {
        /**
         * How long a kept answer may stand in while the service does not answer, in seconds since it was last known
         * to be good. 0 without it: an error is an error.
         */
        readonly staleIfErrorSeconds?: number | undefined;
      })
    | undefined;
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
};

/** What an answer is made of: a field that it must have, and whether its numbers are rates. */
export type Shape = { readonly field: string; readonly numbers: 'decimals' | 'counts' };

const timeoutDefaultMs = 30_000;
const attemptTimeoutDefaultMs = 12_000;

/** Asks the service: with the key, under deadlines, with repeats, through the cache. */
export class Transport {
  readonly #options: VatfxOptions;
  readonly #base: string;
  readonly #fetch: typeof fetch;
  readonly #cache: AnswerCache;

  constructor(options: VatfxOptions) {
    this.#options = options;
    this.#base = new URL(options.url).href.replace(/\/+$/, '');
    if (!/^[\x21-\x7e]+$/.test(options.key)) throw new TypeError('expected an API key, vfx_…');
    // Bound late, for tests that replace the global one; and browsers want it called on the window.
    this.#fetch = options.fetch ?? (async (...asked) => globalThis.fetch(...asked));
    this.#cache = new AnswerCache(options.cache);
  }

  /** Forgets every kept answer. */
  clearCache(): void {
    this.#cache.clear();
  }

  /** Reads, from the cache where the answer is still good. */
  async read<T>(path: string, shape: Shape, options: CallOptions = {}): Promise<T> {
    options.signal?.throwIfAborted();
    const kept = this.#cache.find(path);
    if (kept !== undefined && options.fresh !== true && isFresh(kept)) return kept.value as T;
    const received = await this.#askOrStale(path, kept, options);
    if (received === 'stale') return kept?.value as T;
    if (received.status === 304 && kept !== undefined) {
      this.#keep(path, received, kept);
      return kept.value as T;
    }
    const value = parseAnswer(received, shape);
    const etag = received.headers.get('etag');
    this.#keep(path, received, { value, etag, chars: received.text.length });
    return value as T;
  }

  /** Creates or changes something: sent once, whatever comes of it. */
  async send<T>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    question: { readonly body?: object; readonly shape?: Shape; readonly options?: CallOptions },
  ): Promise<T> {
    const { body, shape, options = {} } = question;
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { ...this.#headers, ...(body && { 'content-type': 'application/json' }) };
    const request = { url: this.#base + path, method, headers, ...sent };
    const received = await this.#exchange(request, options, { attempts: 1 });
    return (shape === undefined ? undefined : parseAnswer(received, shape)) as T;
  }

  async #askOrStale(
    path: string,
    kept: CachedAnswer | undefined,
    options: CallOptions,
  ): Promise<Received | 'stale'> {
    const known = typeof kept?.etag === 'string' ? { 'if-none-match': kept.etag } : {};
    const headers = { ...this.#headers, ...known };
    try {
      // A browser has a cache of its own beneath, which is not to answer then either.
      const cache = options.fresh === true ? ({ cache: 'no-cache' } as const) : {};
      const request = { url: this.#base + path, method: 'GET', headers, ...cache };
      return await this.#exchange(request, options, this.#options.retry ?? {});
    } catch (error) {
      const staleMs = (this.#options.cache?.staleIfErrorSeconds ?? 0) * 1_000;
      const isGoodEnough = kept !== undefined && Date.now() - kept.confirmedAtMs < staleMs;
      // What would be worth repeating is no word on the data; a 401 or a 404 is one.
      if (isGoodEnough && isOutage(error)) return 'stale';
      throw error;
    }
  }

  get #headers(): Record<string, string> {
    return { accept: 'application/json', authorization: `Bearer ${this.#options.key}` };
  }

  #keep(
    path: string,
    { headers }: Received,
    answer: Pick<CachedAnswer, 'value' | 'etag' | 'chars'>,
  ): void {
    const { isKept, freshForMs } = readFreshness(headers);
    if (!isKept) return this.#cache.forget(path);
    const nowMs = Date.now();
    const { value, etag, chars } = answer;
    const times = { freshUntilMs: nowMs + freshForMs, confirmedAtMs: nowMs };
    return this.#cache.keep(path, { value, etag, chars, ...times });
  }

  /** Asks until there is an answer, a refusal that stays, or no time. */
  async #exchange(request: Outgoing, options: CallOptions, retry: RetryOptions): Promise<Received> {
    const { signal } = options;
    const wholeMs = options.timeoutMs ?? this.#options.timeoutMs ?? timeoutDefaultMs;
    const attemptMs =
      options.attemptTimeoutMs ?? this.#options.attemptTimeoutMs ?? attemptTimeoutDefaultMs;
    const deadlineMs = performance.now() + wholeMs;
    for (let made = 1; ; made += 1) {
      const leftMs = deadlineMs - performance.now();
      const isLast = leftMs <= attemptMs;
      const lateError = isLast
        ? new TimeoutError('whole', wholeMs)
        : new TimeoutError('attempt', attemptMs);
      const timeoutMs = isLast ? leftMs : attemptMs;
      try {
        return await this.#attempt(request, { timeoutMs, lateError, signal });
      } catch (error) {
        const delayMs = retryDelayMs(error, made, retry);
        if (delayMs === undefined || performance.now() + delayMs >= deadlineMs) throw error;
        await wait(delayMs, signal);
      }
    }
  }

  async #attempt(request: Outgoing, limits: Parameters<typeof makeAttempt>[2]): Promise<Received> {
    const received = await makeAttempt(this.#fetch, request, limits);
    const { status } = received;
    if ((status >= 200 && status < 300) || status === 304) return received;
    // 0 is how browsers show a redirect that is not followed.
    if (status < 400) throw new UnexpectedAnswerError(status, 'a redirect, which is not followed');
    throw toStatusError(received);
  }
}

function isFresh({ freshUntilMs, confirmedAtMs }: CachedAnswer): boolean {
  const nowMs = Date.now();
  // A clock that was set back makes nothing fresh again.
  return nowMs < freshUntilMs && nowMs >= confirmedAtMs;
}

function isOutage(error: unknown): boolean {
  return error instanceof TimeoutError || isWorthRepeating(error);
}

function parseAnswer({ status, text }: Received, { field, numbers }: Shape): unknown {
  let value: unknown;
  try {
    value = numbers === 'decimals' ? parseExactJson(text) : parseJson(text);
  } catch (cause) {
    throw new UnexpectedAnswerError(status, 'an answer that is not JSON', { cause });
  }
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, field)) return value;
  throw new UnexpectedAnswerError(status, `an answer without '${field}'`);
}
