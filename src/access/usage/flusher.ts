import { setImmediate as turn } from 'node:timers/promises';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { Ticker } from '../../platform/schedule/ticker.ts';
import { type Clock, dateIn, formatInstant, type IsoDate } from '../../platform/time.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { UseBook } from './ledger.ts';
import { foldUse, journalUse, noteLastUses, portionMax, pruneUse } from './store.ts';

/** Use is durable within a second (contract C26), the writing included. */
const intervalMs = 500;
/** How long use stays in the journal; the longer, the more of it falls together. */
const foldEveryMs = 10_000;

/** A stop does not wait for a database that hangs. */
const stopMs = 5_000;

type Parts = {
  readonly db: Db;
  readonly book: UseBook;
  /** The secrets that were used since the last call, by hash, and when; the earliest first. */
  readonly takeLastUses: () => ReadonlyMap<string, number>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Writes what keys were used for, a moment after they were used and off the path of requests.
 *
 * Twice a second one row goes to a journal; every ten seconds the journal is added to the keys' days.
 * `kill -9` loses what was charged since the last row. While the database is away everything waits in
 * memory. What is older than it is kept goes, once a day.
 */
export class UsageFlusher {
  readonly #parts: Parts;
  readonly #ticker: Ticker;
  /** Used secrets that are not noted yet. */
  readonly #used = new Map<string, number>();
  #foldedAtMs = performance.now();
  #prunedOn: IsoDate | undefined;
  #isFailing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#ticker = new Ticker(async () => this.#writeOrWait(), { intervalMs, log: parts.log });
  }

  /** Adds what an earlier process left in the journal, before anything is charged, and begins. */
  async start(): Promise<void> {
    await foldUse(this.#parts.db);
    this.#ticker.start();
  }

  /** Writes what is left; called when no more requests come. */
  async stop(): Promise<void> {
    await withTimeout(stopMs, this.#writeLast()).catch(() => {});
    const lost = this.#parts.book.takeUnwritten();
    if (lost.length === 0) return;
    const requests = lost.reduce((sum, use) => sum + use.requests, 0);
    this.#parts.log.error({ keys: lost.length, requests }, 'use of keys lost');
  }

  async #writeLast(): Promise<void> {
    await this.#ticker.stop();
    this.#foldedAtMs = -Infinity;
    await this.#writeOrWait();
  }

  async #writeOrWait(): Promise<void> {
    try {
      await this.#write();
      this.#isFailing = false;
    } catch (error) {
      // Once, not twice a second.
      if (!this.#isFailing) this.#parts.log.error({ err: error }, 'use of keys not written yet');
      this.#isFailing = true;
    }
  }

  async #write(): Promise<void> {
    const { db, book } = this.#parts;
    if (book.hasMissed) {
      await foldUse(db);
      await book.readMissed();
    }
    await this.#journalCharges();
    await this.#noteLastUses();
    if (performance.now() - this.#foldedAtMs < foldEveryMs) return;
    await foldUse(db);
    this.#foldedAtMs = performance.now();
    book.forgetIdle();
    await this.#prune();
  }

  async #journalCharges(): Promise<void> {
    const { db, book } = this.#parts;
    const uses = book.takeUnwritten();
    if (uses.length === 0) return;
    try {
      await journalUse(db, uses);
    } catch (error) {
      book.giveBack(uses);
      throw error;
    }
  }

  async #noteLastUses(): Promise<void> {
    const { db, takeLastUses } = this.#parts;
    for (const [hash, atMs] of takeLastUses()) this.#used.set(hash, atMs);
    for (const { atMs, hashes } of portions(this.#used)) {
      await noteLastUses(db, hashes, formatInstant(atMs));
      for (const hash of hashes) this.#used.delete(hash);
      await turn();
    }
  }

  async #prune(): Promise<void> {
    const { db, clock } = this.#parts;
    const today = dateIn('UTC', clock.now());
    if (today === this.#prunedOn) return;
    while ((await pruneUse(db, today)) === portionMax) await turn();
    this.#prunedOn = today;
  }
}

/** Those that were used within a second are written together, as of its beginning. */
function portions(
  used: ReadonlyMap<string, number>,
): { readonly atMs: number; readonly hashes: string[] }[] {
  const cut: { readonly atMs: number; readonly hashes: string[] }[] = [];
  for (const [hash, atMs] of used) {
    const last = cut.at(-1);
    const isTogether = last !== undefined && Math.abs(atMs - last.atMs) < 1_000;
    if (isTogether && last.hashes.length < portionMax) last.hashes.push(hash);
    else cut.push({ atMs, hashes: [hash] });
  }
  return cut;
}
