import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { formatInstant } from '../../platform/time/time.ts';
import { isWorking } from '../stored/owner.ts';

/** The count of each error, also of those that no watch has: an alert ends with a 0. */
const none = { QUOTA_EXCEEDED: 0, INVALID_REQUESTER: 0, INVALID_INPUT: 0 };

/**
 * Counts the watches that have an error, by the error (rule K13), without those of keys that were revoked or have expired.
 * The query reads an index of the watches with an error only.
 */
export async function countFailedWatches(
  db: Db,
  nowMs: number,
): Promise<Readonly<Record<string, number>>> {
  const rows = await db
    .selectFrom('vat_watches')
    .select((e) => ['error', e.fn.countAll<number | string>().as('count')])
    .where('error', 'is not', null)
    .where(isWorking(sql`vat_watches.key_id`, formatInstant(nowMs)))
    .groupBy('error')
    .execute();
  return { ...none, ...Object.fromEntries(rows.map(({ error, count }) => [error, Number(count)])) };
}
