import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Tx } from '../../src/platform/database/database.ts';
import { patienceMs } from './eventually.ts';

/** Waits until another connection waits for a lock that this transaction holds; on PostgreSQL only. */
export async function untilBlocking(tx: Tx): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await sql`
        select pid from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))
      `.execute(tx);
      if (rows.length === 0) throw new Error('no connection waits for this transaction');
    },
    { timeout: patienceMs, interval: 10 },
  );
}
