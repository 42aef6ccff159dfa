import { AnswerCache, type CachedAnswer, type CacheLimits, readFreshness } from './answer-cache.ts';
import { makeAttempt, type Outgoing, wait } from './attempt.ts';
import { InvalidArgumentError, TimeoutError, UnexpectedAnswerError } from './errors.ts';
import { parseExactJson, parseJson } from './exact-json.ts';
import { type Received, toStatusError } from './refusal.ts';
import { isOutage, retryDelayMs, type RetryOptions } from './retry.ts';

/** The options of one call. */
export type CallOptions = {
  /** Ends the call immediately; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time for the whole call, waits included. By default 30,000, and the time of `waitSeconds` in addition. */
  readonly timeoutMs?: number | undefined;
  /**
   * Time for one request. By default 12,000, because a VAT check may take 10 s, and the time of `waitSeconds` in addition.
   */
  readonly attemptTimeoutMs?: number | undefined;
  /** `true` sends a request even if a cached answer is fresh. If nothing changed, the service answers 304. */
  readonly fresh?: boolean | undefined;
};

export type VatfxOptions = {
  /** The address of the service: `https://vat.example`, with a path if the service is below one. */
  readonly url: string | undefined;
  /** The API key: `vfx_…`. The constructor throws if a variable of the environment that should have it is not set. */
  readonly key: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly attemptTimeoutMs?: number | undefined;
  readonly retry?: RetryOptions | undefined;
  readonly cache?:
    | (CacheLimits & {
        /**
         * Largest age of a cached answer that is returned during an outage of the service. It counts from the last
         * time that the service sent or confirmed the answer. By default 0: the error is thrown.
         */
        readonly staleIfErrorSeconds?: number | undefined;
      })
    | undefined;
  /** By default the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
};

/** The expected shape of an answer: a field that it must have, and whether it has rates, which stay text. */
export type Shape = { readonly field: string; readonly hasRates: boolean };

/** An answer with rates. */
export function withRates(field: string): Shape {
  return { field, hasRates: true };
}

/** An answer without rates, whose numbers are all counts. */
export function withoutRates(field: string): Shape {
  return { field, hasRates: false };
}

/** An answer with its header `Link`; undefined if it has none. */
type Linked<T> = { readonly value: T; readonly link: string | undefined };

/** Time for a whole call, if its caller gives none. */
export const timeoutDefaultMs = 30_000;
const attemptTimeoutDefaultMs = 12_000;

/** Sends requests to the service: with the key, with deadlines and retries, through the cache. */
export class Transport {
  readonly #options: VatfxOptions;
  readonly #base: string;
  readonly #fetch: typeof fetch;
  readonly #cache: AnswerCache;

  constructor(options: VatfxOptions) {
    this.#options = options;
    this.#base = readAddress(options.url);
    assertKey(options.key);
    // The global `fetch` is looked up for each call, because tests may replace it. Browsers require the method call.
    this.#fetch = options.fetch ?? (async (...request) => globalThis.fetch(...request));
    this.#cache = new AnswerCache(options.cache);
  }

  /** Removes all cached answers. */
  clearCache(): void {
    this.#cache.clear();
  }

  /** Lengthens the timeouts of a call by the time that the service may wait, unless the call has its own. */
  withTimeFor(waitMs: number, options: CallOptions): CallOptions {
    const { timeoutMs = timeoutDefaultMs, attemptTimeoutMs = attemptTimeoutDefaultMs } =
      this.#options;
    return {
      ...options,
      timeoutMs: options.timeoutMs ?? timeoutMs + waitMs,
      attemptTimeoutMs: options.attemptTimeoutMs ?? attemptTimeoutMs + waitMs,
    };
  }

  /** Returns the answer for a path, from the cache if the cached answer is fresh. */
  async read<T>(path: string, shape: Shape, options: CallOptions = {}): Promise<T> {
    return (await this.readWithLink<T>(path, shape, options)).value;
  }

  /** The same as `read`, with the header `Link` of the answer. */
  async readWithLink<T>(path: string, shape: Shape, options: CallOptions = {}): Promise<Linked<T>> {
    options.signal?.throwIfAborted();
    const cached = this.#cache.get(path) as (CachedAnswer & Linked<T>) | undefined;
    if (cached !== undefined && options.fresh !== true && isFresh(cached)) return cached;
    const received = await this.#fetchUnlessOutage(path, cached, options);
    if (received === 'stale') return cached as Linked<T>;
    const link = received.headers.get('link') ?? undefined;
    if (received.status === 304 && cached !== undefined) {
      const renewed = { ...cached, link: link ?? cached.link };
      this.#cacheAnswer(path, received, renewed);
      return renewed;
    }
    const value = parseAnswer(received, shape) as T;
    const etag = received.headers.get('etag') ?? undefined;
    this.#cacheAnswer(path, received, { value, etag, link, chars: received.text.length });
    return { value, link };
  }

  /** Creates or changes something. The request is sent once, even if it fails, unless it has an idempotency key. */
  async send<T>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    request: {
      readonly body?: object;
      readonly shape?: Shape;
      readonly options: CallOptions | undefined;
      readonly idempotencyKey?: string | undefined;
    },
  ): Promise<T> {
    const { body, shape, options = {}, idempotencyKey } = request;
    assertIdempotencyKey(idempotencyKey);
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = {
      ...this.#headers,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const outgoing = { url: this.#base + path, method, headers, ...sent };
    const retry = idempotencyKey === undefined ? { attempts: 1 } : (this.#options.retry ?? {});
    const received = await this.#sendWithRetries(outgoing, options, retry);
    return (shape === undefined ? undefined : parseAnswer(received, shape)) as T;
  }

  /** Requests an answer. Returns `stale` if the service is unavailable and the cached answer may be used instead. */
  async #fetchUnlessOutage(
    path: string,
    cached: CachedAnswer | undefined,
    options: CallOptions,
  ): Promise<Received | 'stale'> {
    const condition = cached?.etag === undefined ? {} : { 'if-none-match': cached.etag };
    const headers = { ...this.#headers, ...condition };
    try {
      // A browser has an HTTP cache of its own, which must not answer a `fresh` call either.
      const cache = options.fresh === true ? ({ cache: 'no-cache' } as const) : {};
      const request = { url: this.#base + path, method: 'GET', headers, ...cache };
      return await this.#sendWithRetries(request, options, this.#options.retry ?? {});
    } catch (error) {
      const staleMs = (this.#options.cache?.staleIfErrorSeconds ?? 0) * 1_000;
      const mayUseCached = cached !== undefined && Date.now() - cached.confirmedAtMs < staleMs;
      // During an outage the data is probably unchanged. A 401 or a 404 is an answer, so it is thrown.
      if (mayUseCached && isOutage(error)) return 'stale';
      throw error;
    }
  }

  get #headers(): Record<string, string> {
    return { accept: 'application/json', authorization: `Bearer ${this.#options.key}` };
  }

  #cacheAnswer(
    path: string,
    { headers }: Received,
    answer: Pick<CachedAnswer, 'value' | 'etag' | 'link' | 'chars'>,
  ): void {
    const { isCacheable, freshForMs } = readFreshness(headers);
    if (!isCacheable) return this.#cache.delete(path);
    const nowMs = Date.now();
    const { value, etag, link, chars } = answer;
    const times = { freshUntilMs: nowMs + freshForMs, confirmedAtMs: nowMs };
    return this.#cache.set(path, { value, etag, link, chars, ...times });
  }

  /** Sends a request, and repeats it until it succeeds, fails permanently, or the time is up. */
  async #sendWithRetries(
    request: Outgoing,
    options: CallOptions,
    retry: RetryOptions,
  ): Promise<Received> {
    const { signal } = options;
    const wholeMs = options.timeoutMs ?? this.#options.timeoutMs ?? timeoutDefaultMs;
    const attemptMs =
      options.attemptTimeoutMs ?? this.#options.attemptTimeoutMs ?? attemptTimeoutDefaultMs;
    const deadlineMs = performance.now() + wholeMs;
    for (let attemptsMade = 1; ; attemptsMade += 1) {
      const leftMs = deadlineMs - performance.now();
      const isLast = leftMs <= attemptMs;
      const lateError = isLast
        ? new TimeoutError('whole', wholeMs)
        : new TimeoutError('attempt', attemptMs);
      const timeoutMs = isLast ? leftMs : attemptMs;
      try {
        return await this.#attempt(request, { timeoutMs, lateError, signal });
      } catch (error) {
        const delayMs = retryDelayMs(error, attemptsMade, retry);
        if (delayMs === undefined || performance.now() + delayMs >= deadlineMs) throw error;
        await wait(delayMs, signal);
      }
    }
  }

  async #attempt(request: Outgoing, limits: Parameters<typeof makeAttempt>[2]): Promise<Received> {
    const received = await makeAttempt(this.#fetch, request, limits);
    const { status } = received;
    if ((status >= 200 && status < 300) || status === 304) return received;
    // Browsers report a redirect that is not followed as status 0.
    if (status < 400) throw new UnexpectedAnswerError(status, 'a redirect, which is not followed');
    throw toStatusError(received);
  }
}

/** The address without its last slash; paths are appended to it. */
function readAddress(url: string | undefined): string {
  const expected = 'an address such as http://127.0.0.1:8080';
  let read: URL;
  try {
    read = new URL(url ?? '');
  } catch {
    throw new InvalidArgumentError('url', expected);
  }
  // `localhost:8080` is a URL too, with the scheme `localhost:`.
  if (!/^https?:$/.test(read.protocol)) {
    throw new InvalidArgumentError('url', `${expected}, with http:// or https:// in front`);
  }
  // fetch refuses an address with a password, and paths are appended to it.
  const { username, password, search, hash } = read;
  if (username + password + search + hash !== '') {
    throw new InvalidArgumentError('url', `${expected}, without a user, a password, ? or #`);
  }
  return read.href.replace(/\/+$/, '');
}

/** Programs in JavaScript often pass a variable of the environment that is not set. */
function assertKey(key: unknown): void {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return;
  const found = typeof key === 'string' ? '' : `; the key is ${key === null ? 'null' : typeof key}`;
  throw new InvalidArgumentError(
    'key',
    `an API key, which begins with vfx_, without blanks${found}`,
  );
}

/** A header cannot have other characters: `fetch` would refuse the request, as if no answer had arrived. */
function assertIdempotencyKey(key: string | undefined): void {
  if (key === undefined || /^[\x20-\x7e]{1,100}$/.test(key)) return;
  throw new InvalidArgumentError('idempotencyKey', '1 to 100 printable ASCII characters');
}

function isFresh({ freshUntilMs, confirmedAtMs }: CachedAnswer): boolean {
  const nowMs = Date.now();
  // If the clock was set back, the answer may be from its future. It is not fresh then.
  return nowMs < freshUntilMs && nowMs >= confirmedAtMs;
}

function parseAnswer({ status, text }: Received, { field, hasRates }: Shape): unknown {
  let value: unknown;
  try {
    value = hasRates ? parseExactJson(text) : parseJson(text);
  } catch (cause) {
    throw new UnexpectedAnswerError(status, 'an answer that is not JSON', { cause });
  }
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, field)) return value;
  throw new UnexpectedAnswerError(status, `an answer without '${field}'`);
}
