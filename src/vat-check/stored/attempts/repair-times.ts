import type { Updateable } from 'kysely';
import { unclaimed } from '../../../platform/database/claims.ts';
import type { Db } from '../../../platform/database/database.ts';
import { inPortions } from '../../../platform/database/portions.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import { formatInstant } from '../../../platform/time/time.ts';

/** No attempt is due later than this from now, and no fault or creation is later than now. */
const latestMs = 2 * 3_600_000;
/** Checks in one statement. */
const portion = 500;

/**
 * Repairs the times that a clock which was ahead has written, once the clock is trusted again. Otherwise a check would wait
 * for the moment that this clock showed, for example a year.
 *
 * Attempts that are due too late, or never although their check does not expire soon, are due now; so are watches that were
 * created in the future. A fault of a Member State in the future counts as one of now.
 */
export async function repairTimes(db: Db, nowMs: number): Promise<void> {
  const now = formatInstant(nowMs);
  const latest = formatInstant(nowMs + latestMs);
  const dueNow: Updateable<Tables['vat_checks']> = {
    due_at: now,
    next_attempt_at: now,
    ...unclaimed,
  };
  await inPortions(async () => {
    const { numUpdatedRows } = await db
      .updateTable('vat_checks')
      .set(dueNow)
      .where('id', 'in', (e) =>
        e
          .selectFrom('vat_checks')
          .select('id')
          .where('status', '=', 'pending')
          .where((of) =>
            of.or([
              of('due_at', '>', latest),
              of.and([of('due_at', 'is', null), of('expires_at', '>', latest)]),
            ]),
          )
          .limit(portion),
      )
      .where('status', '=', 'pending')
      .executeTakeFirst();
    return Number(numUpdatedRows) === portion;
  });
  await db
    .updateTable('vat_registries')
    .set({ faulted_at: now })
    .where('faulted_at', '>', latest)
    .execute();
  await db
    .updateTable('vat_watches')
    .set({ due_at: now, slot_at: now, ...unclaimed })
    .where('created_at', '>', latest)
    .where('due_at', '>', latest)
    .execute();
}
