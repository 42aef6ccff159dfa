import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/time.ts';
import type { Answer } from './outcome.ts';
import type { VatNumber } from './vat-number.ts';

/** A million answers are kept; each takes about 300 bytes. */
const answersMax = 1_000_000;
/** How long an answer lives, in seconds (contract C23). */
const lifetimes = { valid: 3_600, notOnFile: 300, least: 300, most: 3_600 } as const;

export type CachedAnswer = {
  readonly answer: Answer;
  readonly leftMs: number;
  /** What our own answer says: what is left of the lifetime, and never under 300. */
  readonly maxAgeSeconds: number;
};

type Entry = { readonly answer: Answer; readonly expiresAtMs: number };

/**
 * The answers of the registry, true and false alike; nothing else is ever kept (contract C23).
 *
 * Greece asked as `GR` and as `EL` shares an entry, because the key is what the registry was asked.
 */
export class AnswerCache {
  readonly #clock: Clock;
  // Counted by size, because a plain maximum allocates its room at the start.
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: answersMax,
    sizeCalculation: () => 1,
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find(vatNumber: VatNumber): CachedAnswer | undefined {
    const entry = this.#entries.get(toKey(vatNumber));
    if (entry === undefined) return undefined;
    const leftMs = entry.expiresAtMs - this.#clock.now();
    return leftMs > 0
      ? { answer: entry.answer, leftMs, maxAgeSeconds: toMaxAge(leftMs) }
      : undefined;
  }

  /** Keeps an answer for its kind's time, or for what the registry allows, between 300 and 3600 s. */
  keep(vatNumber: VatNumber, answer: Answer, maxAgeSeconds: number | null): CachedAnswer {
    const wanted = maxAgeSeconds ?? (answer.valid ? lifetimes.valid : lifetimes.notOnFile);
    const lifetimeMs = Math.min(lifetimes.most, Math.max(lifetimes.least, wanted)) * 1_000;
    return this.adopt(vatNumber, { answer, leftMs: lifetimeMs });
  }

  /** Keeps an answer for what is left of its lifetime. */
  adopt(
    vatNumber: VatNumber,
    { answer, leftMs }: { readonly answer: Answer; readonly leftMs: number },
  ): CachedAnswer {
    this.#entries.set(toKey(vatNumber), { answer, expiresAtMs: this.#clock.now() + leftMs });
    return { answer, leftMs, maxAgeSeconds: toMaxAge(leftMs) };
  }
}

/** The key of a number, for whatever is kept once per number. */
export function toKey({ registryCode, number }: VatNumber): string {
  return registryCode + number;
}

function toMaxAge(leftMs: number): number {
  return Math.max(lifetimes.least, Math.floor(leftMs / 1_000));
}
