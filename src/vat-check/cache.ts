import type { Clock } from '../platform/time.ts';
import type { Answer } from './outcome.ts';
import { PackedTexts } from './packed-texts.ts';
import type { VatNumber } from './vat-number.ts';

/** Room for a million answers: one takes about 165 bytes, or 85 where name and address are withheld. */
const room = { slabBytes: 2 ** 20, slabsMax: 144, bucketCount: 2 ** 18 } as const;
/** How long an answer lives, in seconds (contract C23). */
const lifetimes = { valid: 3_600, notOnFile: 300, least: 300, most: 3_600 } as const;
const mostMs = lifetimes.most * 1_000;
const keptFrom = '"requestDate":';

/** An answer as it is told. */
export type CachedTail = {
  /** What follows the echo of the request in our own answer: `"requestDate":"2026-…","valid":true,…}`. */
  readonly tail: string;
  readonly leftMs: number;
  /** What our own answer says: what is left of the lifetime, and never under 300. */
  readonly maxAgeSeconds: number;
};

export type CachedAnswer = CachedTail & { readonly answer: Answer };

/**
 * The answers of the registry, true and false alike; nothing else is ever kept (contract C23).
 *
 * Greece asked as `GR` and as `EL` shares an entry, because the key is what the registry was asked.
 */
export class AnswerCache {
  readonly #clock: Clock;
  readonly #entries = new PackedTexts(room);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find(vatNumber: VatNumber): CachedAnswer | undefined {
    const found = this.findTail(vatNumber);
    return found === undefined
      ? undefined
      : { ...found, answer: JSON.parse(`{${found.tail}`) as Answer };
  }

  /** The same without the answer's parts, which costs less. */
  findTail(vatNumber: VatNumber): CachedTail | undefined {
    const entry = this.#entries.find(toKey(vatNumber));
    if (entry === undefined) return undefined;
    const leftMs = entry.endsAtMs - this.#clock.now();
    // More than the most: the clock was set back, and how old it is nobody knows.
    if (leftMs <= 0 || leftMs > mostMs) return undefined;
    return { tail: printTail(entry.text), leftMs, maxAgeSeconds: toMaxAge(leftMs) };
  }

  /** Keeps an answer for its kind's time, or for what the registry allows, between 300 and 3600 s. */
  keep(vatNumber: VatNumber, answer: Answer, maxAgeSeconds: number | null): CachedAnswer {
    const wanted = maxAgeSeconds ?? (answer.valid ? lifetimes.valid : lifetimes.notOnFile);
    return this.adopt(vatNumber, { answer, leftMs: Math.max(lifetimes.least, wanted) * 1_000 });
  }

  /** Keeps an answer for what is left of its lifetime. */
  adopt(
    vatNumber: VatNumber,
    found: { readonly answer: Answer; readonly leftMs: number },
  ): CachedAnswer {
    const { answer } = found;
    const leftMs = Math.min(mostMs, found.leftMs);
    const text = printKept(answer);
    this.#entries.keep(toKey(vatNumber), { text, endsAtMs: this.#clock.now() + leftMs });
    return { answer, tail: printTail(text), leftMs, maxAgeSeconds: toMaxAge(leftMs) };
  }
}

/** The key of a number, for whatever is kept once per number. */
export function toKey({ registryCode, number }: VatNumber): string {
  return registryCode + number;
}

/** What is kept of an answer: its JSON without what is at both ends of all of them. */
function printKept({ requestDate, valid, name, address }: Answer): string {
  return JSON.stringify({ requestDate, valid, name, address }).slice(keptFrom.length + 1, -1);
}

function printTail(kept: string): string {
  return `${keptFrom}${kept}}`;
}

function toMaxAge(leftMs: number): number {
  return Math.max(lifetimes.least, Math.floor(leftMs / 1_000));
}
