import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Tx } from '../database/database.ts';
import { type Clock, formatInstant } from '../time/time.ts';

/** Longer than an event loop stalls, and so short that a crash delays the next run only a little. */
export const leaseDurationMs = 10_000;

/** A lease that would end later than this was written by a clock that was wrong, so it is free. */
const endsWithinMs = 3_600_000;

/**
 * Leases decide which process may do a run.
 *
 * A lease is a row with a holder, a fencing token (the column `epoch`) and an expiry. It is free if its expiry has passed,
 * and each new holder raises the token. The holder renews it while it works; the lease of a process that has crashed expires. A process that
 * was stopped for longer than the lease, and goes on, does not know that another one holds it by now. So
 * {@link Lease.assertHeld} compares the token in the publishing transaction, and the holder, which is another one each time:
 * a database that went back gives a token again (contract C38).
 */
export class Leases {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #holder: string;

  /** `clock` is the machine's own, also if the service runs in simulated time. `holder` names the process. */
  constructor(db: Db, parts: { readonly clock: Clock; readonly holder: string }) {
    this.#db = db;
    this.#clock = parts.clock;
    this.#holder = parts.holder;
  }

  /** Takes a lease that is free; undefined if another run holds it, in this process or another. */
  async tryAcquire(name: string): Promise<Lease | undefined> {
    const nowMs = this.#clock.now();
    const holder = `${this.#holder} ${randomUUID()}`;
    await this.#db
      .insertInto('leases')
      .values({ name, holder: '', epoch: 0, expires_at: '' })
      .onConflict((c) => c.column('name').doNothing())
      .execute();
    const taken = await this.#db
      .updateTable('leases')
      .set((e) => ({
        holder,
        epoch: e('epoch', '+', 1),
        expires_at: formatInstant(nowMs + leaseDurationMs),
      }))
      .where('name', '=', name)
      .where((e) =>
        e.or([
          e('expires_at', '<=', formatInstant(nowMs)),
          e('expires_at', '>', formatInstant(nowMs + endsWithinMs)),
        ]),
      )
      .returning('epoch')
      .executeTakeFirst();
    if (taken === undefined) return undefined;

    const lease = new Lease(this.#db, { name, holder, token: taken.epoch });
    lease.keep(this.#clock);
    return lease;
  }

  /** Does `work` under a lease and frees it; undefined if it was not free within `waitMs`. */
  async withLease<T>(
    name: string,
    waitMs: number,
    work: (lease: Lease) => Promise<T>,
  ): Promise<T | undefined> {
    const lease = await this.acquire(name, waitMs);
    if (lease === undefined) return undefined;
    try {
      return await work(lease);
    } finally {
      await lease.release();
    }
  }

  /** Waits for a lease up to a time; undefined if it was not free by then. */
  async acquire(name: string, waitMs: number): Promise<Lease | undefined> {
    const deadlineMs = performance.now() + waitMs;
    for (;;) {
      const lease = await this.tryAcquire(name);
      if (lease !== undefined || performance.now() > deadlineMs) return lease;
      await sleep(200);
    }
  }
}

/** Finds a lease that is held, of whichever run; undefined if all are free. */
export async function findHeldLease(
  db: Db,
  nowMs: number,
): Promise<{ readonly name: string; readonly holder: string } | undefined> {
  return db
    .selectFrom('leases')
    .select(['name', 'holder'])
    .where('expires_at', '>', formatInstant(nowMs))
    .where('expires_at', '<=', formatInstant(nowMs + endsWithinMs))
    .executeTakeFirst();
}

export class Lease {
  readonly #db: Db;
  readonly #held: { readonly name: string; readonly holder: string; readonly token: number };
  #timer: NodeJS.Timeout | undefined;

  constructor(
    db: Db,
    held: { readonly name: string; readonly holder: string; readonly token: number },
  ) {
    this.#db = db;
    this.#held = held;
  }

  /** Renews the lease until it is released. A renewal that fails is no error, because the token decides. */
  keep(clock: Clock): void {
    this.#timer = setInterval(() => {
      this.#setExpiry(formatInstant(clock.now() + leaseDurationMs)).catch(() => {});
    }, leaseDurationMs / 3).unref();
  }

  /** Throws inside `tx` if another process has taken the lease; otherwise none can take it until `tx` ends. */
  async assertHeld(tx: Tx): Promise<void> {
    const { numUpdatedRows } = await this.#own(tx)
      .set((e) => ({ holder: e.ref('holder') }))
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) {
      const { name } = this.#held;
      throw new Error(`lease: another process has taken over ${name}; nothing was published`);
    }
  }

  /** Frees the lease for the next run. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#setExpiry('');
  }

  async #setExpiry(expiresAt: string): Promise<void> {
    await this.#own(this.#db).set({ expires_at: expiresAt }).execute();
  }

  /** The row, if this lease still holds it. */
  #own(db: Db) {
    const { name, holder, token } = this.#held;
    return db
      .updateTable('leases')
      .where('name', '=', name)
      .where('holder', '=', holder)
      .where('epoch', '=', token);
  }
}
