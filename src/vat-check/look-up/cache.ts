import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/time/time.ts';
import type { Answer } from '../registries/outcome.ts';
import type { VatNumber } from '../numbers/vat-number.ts';

/** Memory for answers: room for about 130,000 with a name and an address, 190,000 without. */
const bytesMax = 64 * 2 ** 20;
/** Memory of one answer beside its text: the key, the entry and its places in the lists of the cache. */
const overheadBytes = 200;
/** Lifetime of an answer, in seconds (contract C23). */
const lifetimes = { valid: 3_600, notOnFile: 300, least: 300, most: 3_600 } as const;
const mostMs = lifetimes.most * 1_000;

/** An answer as the cache returns it. */
export type CachedAnswer = {
  /** The answer's fields as JSON, in the order of our own answer: `{"requestDate":"2026-…","valid":true,…}`. */
  readonly text: string;
  /** The rest of its lifetime. */
  readonly leftMs: number;
  /** The `max-age` of our own answer: the rest of the lifetime, and never under 300. */
  readonly maxAgeSeconds: number;
};

/**
 * The answers of the registry, valid or not; no other outcome is ever kept (contract C23).
 *
 * `GR` and `EL` share an entry, because the key is what the registry is queried for. If the memory is full, the answer
 * that was not read for the longest time is removed.
 */
export class AnswerCache {
  readonly #clock: Clock;
  // Answers are kept as text: their fields are parts of the registry's document, and would keep all of it alive.
  readonly #entries = new LRUCache<string, { readonly text: string; readonly endsAtMs: number }>({
    maxSize: bytesMax,
    // V8 takes two bytes for each character as soon as one of them is not Latin.
    sizeCalculation: ({ text }) => 2 * text.length + overheadBytes,
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The answer about a number; undefined if there is none whose lifetime is not over. */
  find(vatNumber: VatNumber): CachedAnswer | undefined {
    const entry = this.#entries.get(toKey(vatNumber));
    if (entry === undefined) return undefined;
    const leftMs = entry.endsAtMs - this.#clock.now();
    // If more than the longest lifetime is left, the clock was set back, and the age of the answer is not known.
    if (leftMs <= 0 || leftMs > mostMs) return undefined;
    return { text: entry.text, leftMs, maxAgeSeconds: toMaxAge(leftMs) };
  }

  /** Keeps an answer for the lifetime of its kind, or for what the registry allows, between 300 and 3600 s. */
  keep(vatNumber: VatNumber, answer: Answer, maxAgeSeconds: number | undefined): CachedAnswer {
    const wanted = maxAgeSeconds ?? (answer.valid ? lifetimes.valid : lifetimes.notOnFile);
    return this.adopt(vatNumber, { answer, leftMs: Math.max(lifetimes.least, wanted) * 1_000 });
  }

  /** Keeps an answer for the rest of its lifetime. */
  adopt(
    vatNumber: VatNumber,
    found: { readonly answer: Answer; readonly leftMs: number },
  ): CachedAnswer {
    const { requestDate, valid, name, address } = found.answer;
    const leftMs = Math.min(mostMs, found.leftMs);
    const text = JSON.stringify({ requestDate, valid, name, address });
    this.#entries.set(toKey(vatNumber), { text, endsAtMs: this.#clock.now() + leftMs });
    return { text, leftMs, maxAgeSeconds: toMaxAge(leftMs) };
  }
}

/** The key of a number, for everything that is kept once per number. */
export function toKey({ registryCode, number }: VatNumber): string {
  return registryCode + number;
}

function toMaxAge(leftMs: number): number {
  return Math.max(lifetimes.least, Math.floor(leftMs / 1_000));
}
