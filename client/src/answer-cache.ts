/** A cached answer: the parsed body, and how long it is fresh. */
export type CachedAnswer = {
  readonly value: unknown;
  /** Undefined if the answer has no validator, as for VAT checks. */
  readonly etag: string | undefined;
  /** The header `Link`; undefined if the answer has none. */
  readonly link: string | undefined;
  /** Length of the body; a measure of the memory that the answer takes. */
  readonly chars: number;
  /** From this moment on the service is queried again. */
  readonly freshUntilMs: number;
  /** The last moment at which the service sent or confirmed the answer. */
  readonly confirmedAtMs: number;
};

export type CacheLimits = {
  /** Largest number of answers; 0 caches none. By default 500. */
  readonly maxEntries?: number | undefined;
  /** Largest number of characters of all bodies together. By default 8 million. */
  readonly maxChars?: number | undefined;
};

/** Whether and how long an answer may be cached, according to its headers (RFC 9111 §4.2). */
export type Freshness = { readonly isCacheable: boolean; readonly freshForMs: number };

/**
 * Reads `Cache-Control` and `Age`. An `immutable` answer is fresh for its `max-age` and is then revalidated like
 * any other.
 */
export function readFreshness(headers: Headers): Freshness {
  const policy = (headers.get('cache-control') ?? '').toLowerCase();
  const maxAge = /(?:^|[\s,])max-age=([0-9]{1,9})/.exec(policy)?.[1];
  const isCacheable = !/\bno-store\b/.test(policy) && (maxAge !== undefined || headers.has('etag'));
  if (/\bno-cache\b/.test(policy)) return { isCacheable, freshForMs: 0 };
  // A shared cache on the way has kept the answer for `Age` seconds.
  const age = /^[0-9]{1,9}$/.exec(headers.get('age') ?? '')?.[0] ?? '0';
  return { isCacheable, freshForMs: Math.max(0, Number(maxAge ?? 0) - Number(age)) * 1_000 };
}

/** Answers by path, limited in number and size; the least recently used answer is removed first. */
export class AnswerCache {
  readonly #maxEntries: number;
  readonly #maxChars: number;
  /** In order of use, the least recently used first. */
  readonly #entries = new Map<string, CachedAnswer>();
  #chars = 0;

  constructor({ maxEntries = 500, maxChars = 8_000_000 }: CacheLimits = {}) {
    this.#maxEntries = maxEntries;
    this.#maxChars = maxChars;
  }

  get(path: string): CachedAnswer | undefined {
    const found = this.#entries.get(path);
    if (found === undefined) return undefined;
    this.#entries.delete(path);
    this.#entries.set(path, found);
    return found;
  }

  set(path: string, answer: CachedAnswer): void {
    this.delete(path);
    if (answer.chars > this.#maxChars) return;
    this.#entries.set(path, answer);
    this.#chars += answer.chars;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries && this.#chars <= this.#maxChars) break;
      this.delete(oldest);
    }
  }

  delete(path: string): void {
    this.#chars -= this.#entries.get(path)?.chars ?? 0;
    this.#entries.delete(path);
  }

  clear(): void {
    this.#entries.clear();
    this.#chars = 0;
  }
}
