import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { WaitingChecks } from '../../platform/ops/status.ts';
import { dayMs } from '../../platform/time/time.ts';
import { firstIdOf } from './ids.ts';

/**
 * Counts the checks that wait for an attempt, by the registry code of their Member State, and those that have waited for over
 * a day. It reads an index that has only these checks.
 */
export async function countWaitingChecks(db: Db, nowMs: number): Promise<WaitingChecks> {
  const aDayAgo = firstIdOf('vc', nowMs - dayMs);
  const rows = await db
    .selectFrom('vat_checks')
    .select((e) => [
      'registry_code',
      e.fn.countAll<number | string>().as('count'),
      sql<number | string>`count(case when id < ${aDayAgo} then 1 end)`.as('late'),
    ])
    .where('due_at', 'is not', null)
    .groupBy('registry_code')
    .orderBy('registry_code')
    .execute();
  return {
    byState: Object.fromEntries(rows.map((row) => [row.registry_code, Number(row.count)])),
    late: rows.reduce((sum, { late }) => sum + Number(late), 0),
  };
}
