import { readPage, sizedList } from '../../../platform/database/bounded-page.ts';
import type { Db } from '../../../platform/database/database.ts';
import { checkBytes } from '../requests/check-list.ts';
import { firstIdOf } from '../ids.ts';
import { type StoredCheck, toStoredCheck } from '../stored-check.ts';

/** The most checks that one statement reads. */
const pageChecks = 200;

/** Iterates over the ended checks of all owners that have evidence and were created since a moment, the oldest first. */
export async function* iterateProvable(db: Db, sinceMs: number): AsyncGenerator<StoredCheck> {
  let after = firstIdOf('vc', sinceMs);
  for (;;) {
    const query = db
      .selectFrom('vat_checks')
      .selectAll()
      .where('id', '>', after)
      .where('status', '<>', 'pending')
      .where((e) =>
        e.exists(
          e
            .selectFrom('vat_check_exchanges')
            .select('check_id')
            .whereRef('check_id', '=', 'vat_checks.id'),
        ),
      )
      .orderBy('id');
    const { page, last } = await readPage(sizedList(query, checkBytes('vat_checks')), pageChecks);
    for (const row of page) yield toStoredCheck(row);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Counts the checks that were created since a moment and have not ended. */
export async function countPendingSince(db: Db, sinceMs: number): Promise<number> {
  const { count } = await db
    .selectFrom('vat_checks')
    .select((e) => e.fn.countAll<number | string>().as('count'))
    .where('id', '>', firstIdOf('vc', sinceMs))
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return Number(count);
}
