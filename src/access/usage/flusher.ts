import type { Db } from '../../platform/database/database.ts';
import { inPortions, oneByOne } from '../../platform/database/portions.ts';
import { FailureLog, type Log } from '../../platform/log/log.ts';
import { Ticker } from '../../platform/schedule/ticker.ts';
import type { ClockTrust } from '../../platform/time/clock-guard.ts';
import { type Clock, dateIn, formatInstant, type IsoDate } from '../../platform/time/time.ts';
import { withTimeout } from '../../platform/time/timers.ts';
import type { Ledger } from './ledger.ts';
import { noteLastUses, portionMax, pruneUse, writeUse, addUse, type DailyUse } from './store.ts';

/** `kill -9` loses at most two seconds of use: one between two writes, and one for the write itself. */
const intervalMs = 1_000;

/** A stop does not wait longer for a database that hangs. */
const stopMs = 5_000;

type Parts = {
  readonly db: Db;
  readonly ledger: Ledger;
  /** Takes the secrets that were used since the last call, by hash, and when; the earliest first. */
  readonly takeLastUses: () => ReadonlyMap<string, number>;
  readonly clock: Clock;
  readonly clockGuard: ClockTrust;
  readonly log: Log;
};

/**
 * Writes the use of keys to the database once a second, in the background.
 *
 * A clean stop loses nothing, `kill -9` at most two seconds. While the database is away, use stays in memory and
 * is written later. Use that is older than it is kept is removed once a day.
 */
export class UsageFlusher {
  readonly #parts: Parts;
  readonly #ticker: Ticker;
  /** Used secrets whose last use is not written yet. */
  readonly #used = new Map<string, number>();
  readonly #failures: FailureLog;
  #prunedOn: IsoDate | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { log } = parts;
    this.#failures = new FailureLog(
      log,
      'cannot write the requests charged to keys; they stay in memory and are written later',
    );
    this.#ticker = new Ticker(async () => this.#flush(), {
      intervalMs,
      log,
      failure: 'tick failed',
    });
  }

  async start(): Promise<void> {
    await addEarlierJournal(this.#parts.db);
    this.#ticker.start();
  }

  /** Writes the rest; called after the last request. */
  async stop(): Promise<void> {
    const flushed = this.#ticker.stop().then(async () => this.#flush());
    await withTimeout(stopMs, flushed).catch(() => {});
    const { ledger, log } = this.#parts;
    const { unsettledRequests } = ledger;
    if (unsettledRequests > 0) {
      const text = 'not known whether requests charged to keys were written before the stop';
      log.error({ requests: unsettledRequests }, text);
    }
    const lost = ledger.listUnwritten();
    if (lost.length === 0) return;
    const requests = lost.reduce((sum, use) => sum + use.requests, 0);
    log.error(
      { keys: lost.length, requests },
      'lost requests charged to keys: they could not be written before the stop',
    );
  }

  async #flush(): Promise<void> {
    const { db, ledger } = this.#parts;
    try {
      await ledger.flush(async (uses) => writeUse(db, uses));
      await this.#noteLastUses();
      await this.#prune();
      this.#failures.succeeded();
    } catch (error) {
      this.#failures.failed(error);
    }
  }

  async #noteLastUses(): Promise<void> {
    const { db, takeLastUses } = this.#parts;
    for (const [hash, atMs] of takeLastUses()) this.#used.set(hash, atMs);
    await oneByOne(cutIntoPortions(this.#used), async ({ atMs, hashes }) => {
      await noteLastUses(db, hashes, formatInstant(atMs));
      for (const hash of hashes) this.#used.delete(hash);
    });
  }

  async #prune(): Promise<void> {
    const { db, clock, clockGuard } = this.#parts;
    const today = dateIn('UTC', clock.now());
    if (today === this.#prunedOn || !clockGuard.isTrusted) return;
    await inPortions(async () => (await pruneUse(db, today)) === portionMax);
    this.#prunedOn = today;
  }
}

/** Secrets that were used within the same second are written together, with the instant of the first. */
function cutIntoPortions(
  used: ReadonlyMap<string, number>,
): { readonly atMs: number; readonly hashes: string[] }[] {
  const portions: { readonly atMs: number; readonly hashes: string[] }[] = [];
  for (const [hash, atMs] of used) {
    const last = portions.at(-1);
    const isTogether = last !== undefined && Math.abs(atMs - last.atMs) < 1_000;
    if (isTogether && last.hashes.length < portionMax) last.hashes.push(hash);
    else portions.push({ atMs, hashes: [hash] });
  }
  return portions;
}

/**
 * Adds the use that a version up to 0.1 left in its journal to the days of its keys, and empties the journal.
 *
 * Those versions wrote use to the table `key_use_journal` first, and added it to `key_use` ten seconds later. A
 * replica of such a version may still run during an upgrade, so each start looks, and no migration does.
 */
export async function addEarlierJournal(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const rows = await tx.deleteFrom('key_use_journal').returning('uses').execute();
    const sums = new Map<string, DailyUse>();
    for (const { uses } of rows) {
      for (const [keyId, useDate, requests] of JSON.parse(uses) as [string, IsoDate, number][]) {
        const id = `${useDate} ${keyId}`;
        const before = sums.get(id)?.requests ?? 0;
        sums.set(id, { keyId, useDate, requests: before + requests });
      }
    }
    await addUse(tx, [...sums.values()]);
  });
}
