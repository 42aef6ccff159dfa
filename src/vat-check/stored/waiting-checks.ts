import type { Db } from '../../platform/database/database.ts';

/**
 * Counts the checks that wait for an attempt, by the registry code of their Member State. It reads an index that has only
 * these checks.
 */
export async function countWaitingChecks(db: Db): Promise<Readonly<Record<string, number>>> {
  const rows = await db
    .selectFrom('vat_checks')
    .select((e) => ['registry_code', e.fn.countAll<number | string>().as('count')])
    .where('due_at', 'is not', null)
    .groupBy('registry_code')
    .orderBy('registry_code')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.registry_code, Number(row.count)]));
}
