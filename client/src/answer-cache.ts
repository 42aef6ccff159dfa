/** An answer that is kept: what was parsed, and how long it is good. */
export type CachedAnswer = {
  readonly value: unknown;
  /** Null where the answer has no validator, as with VAT checks. */
  readonly etag: string | null;
  /** Length of the body, which stands for what it costs to keep. */
  readonly chars: number;
  /** From here on the service is asked again. */
  readonly freshUntilMs: number;
  /** When it was last known to be good. */
  readonly confirmedAtMs: number;
};

export type CacheLimits = {
  /** Answers kept at most; 0 keeps none. 500 without it. */
  readonly maxEntries?: number | undefined;
  /** Characters of all bodies together; 8 million without it. */
  readonly maxChars?: number | undefined;
};

/** How long an answer may be kept, after its headers (RFC 9111 §4.2). */
export type Freshness = { readonly isKept: boolean; readonly freshForMs: number };

/**
 * Reads `Cache-Control` and `Age`. An `immutable` answer is as fresh as its `max-age` says, and then it is asked
 * for with its validator like any other.
 */
export function readFreshness(headers: Headers): Freshness {
  const policy = (headers.get('cache-control') ?? '').toLowerCase();
  const maxAge = /(?:^|[\s,])max-age=([0-9]{1,9})/.exec(policy)?.[1];
  const isKept = !/\bno-store\b/.test(policy) && (maxAge !== undefined || headers.has('etag'));
  if (/\bno-cache\b/.test(policy)) return { isKept, freshForMs: 0 };
  // A shared cache in between has held it for a while.
  const age = /^[0-9]{1,9}$/.exec(headers.get('age') ?? '')?.[0] ?? '0';
  return { isKept, freshForMs: Math.max(0, Number(maxAge ?? 0) - Number(age)) * 1_000 };
}

/** Answers by path, bounded in number and size; what was not used for longest goes first. */
export class AnswerCache {
  readonly #maxEntries: number;
  readonly #maxChars: number;
  /** In order of use, the least recent first. */
  readonly #entries = new Map<string, CachedAnswer>();
  #chars = 0;

  constructor({ maxEntries = 500, maxChars = 8_000_000 }: CacheLimits = {}) {
    this.#maxEntries = maxEntries;
    this.#maxChars = maxChars;
  }

  find(path: string): CachedAnswer | undefined {
    const found = this.#entries.get(path);
    if (found === undefined) return undefined;
    this.#entries.delete(path);
    this.#entries.set(path, found);
    return found;
  }

  keep(path: string, answer: CachedAnswer): void {
    this.forget(path);
    if (answer.chars > this.#maxChars) return;
    this.#entries.set(path, answer);
    this.#chars += answer.chars;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries && this.#chars <= this.#maxChars) break;
      this.forget(oldest);
    }
  }

  forget(path: string): void {
    this.#chars -= this.#entries.get(path)?.chars ?? 0;
    this.#entries.delete(path);
  }

  clear(): void {
    this.#entries.clear();
    this.#chars = 0;
  }
}
