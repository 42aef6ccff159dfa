import type { Month } from './refusal.ts';
import { SlidingWindow } from './sliding-window.ts';
import type { UseBook } from '../usage/ledger.ts';

/** Keys whose part is remembered. */
const rememberedMax = 200_000;

/** What this process knows of a key's shared counts. */
export type Part = {
  generation: string;
  /** From when on Redis is to be told what is known here; Infinity when it knows. */
  syncFromMs: number;
  syncing: Promise<boolean> | undefined;
  /** Let through without Redis, and not told it yet; there only when it is needed. */
  untold: SlidingWindow | undefined;
  /** The outage in which the month was read from the database, and the reading. */
  readIn: number;
  reading: Promise<void> | undefined;
  /** The outage after which Redis was told. */
  toldIn: number;
  /** Whether that was before everybody had written what it let through. */
  isToldEarly: boolean;
  /** The connection to Redis on which it was told. */
  toldOn: number;
  /** Requests of the last minute at all replicas, as far as is known here. */
  readonly recent: SlidingWindow;
  /** The month that was charged last, and what it comes to as far as is known here. */
  month: Month | undefined;
  usedInMonth: number;
};

/** What is known here of each key. */
export class KnownParts {
  readonly #book: UseBook;
  readonly #keys = new Map<string, Part>();

  constructor(book: UseBook) {
    this.#book = book;
  }

  /** A key's part; a new one for a key that is not remembered. */
  of(keyId: string): Part {
    const known = this.#keys.get(keyId);
    if (known !== undefined) return known;
    if (this.#keys.size >= rememberedMax) this.#forgetIdle();
    const part: Part = {
      generation: '',
      syncFromMs: -Infinity,
      syncing: undefined,
      untold: undefined,
      readIn: 0,
      reading: undefined,
      toldIn: 0,
      isToldEarly: false,
      toldOn: 0,
      recent: new SlidingWindow(),
      month: undefined,
      usedInMonth: 0,
    };
    this.#keys.set(keyId, part);
    return part;
  }

  /** Where hardly any is idle all go, so that this is not done again soon: they are told to Redis anew. */
  #forgetIdle(): void {
    const nowMs = this.#book.now();
    for (const [keyId, { recent }] of this.#keys) {
      if (recent.count(nowMs) === 0) this.#keys.delete(keyId);
    }
    if (this.#keys.size > rememberedMax / 2) this.#keys.clear();
  }
}
