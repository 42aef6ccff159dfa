import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../../src/platform/database/database.ts';

/**
 * A broken build: an advisory lock of a session in place of leases, as many programs have it (see `pg-build.ts`). It
 * has the exports of `lease.ts`.
 */
export const leaseDurationMs = Infinity;

export class Leases {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async withLease<T>(
    name: string,
    waitMs: number,
    work: (lease: Lease) => Promise<T>,
  ): Promise<T | undefined> {
    return this.#db.connection().execute(async (session) => {
      const deadlineMs = performance.now() + waitMs;
      const lock = sql<{ taken: boolean }>`
        select pg_try_advisory_lock(hashtext(current_schema() || ${name})) as taken`;
      while (!(await lock.execute(session)).rows[0]?.taken) {
        if (performance.now() > deadlineMs) return undefined;
        await sleep(50);
      }
      try {
        return await work(new Lease());
      } finally {
        await sql`select pg_advisory_unlock(hashtext(current_schema() || ${name}))`.execute(
          session,
        );
      }
    });
  }
}

export class Lease {
  async assertHeld(): Promise<void> {}
}
