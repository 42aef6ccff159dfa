import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { WaitingChecks } from '../../platform/ops/status.ts';
import { dayMs } from '../../platform/time/time.ts';
import { readStoredCode } from '../registries/registry-code.ts';
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
    byState: countByGroup(rows),
    late: rows.reduce((sum, { late }) => sum + Number(late), 0),
  };
}

/** Counts by Member State; a registry other than VIES stands in place of one. */
function countByGroup(
  rows: readonly { readonly registry_code: string | null; readonly count: number | string }[],
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { registry_code: code, count } of rows) {
    const { registry, registryCode } = readStoredCode(code ?? '');
    const group = registry === 'vies' ? registryCode : registry;
    counts[group] = (counts[group] ?? 0) + Number(count);
  }
  return counts;
}
