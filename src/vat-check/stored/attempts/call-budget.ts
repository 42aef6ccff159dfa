import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { inPortions } from '../../../platform/database/portions.ts';
import type { RequestLimit } from '../../../platform/http/request-cost.ts';
import { dateIn, dayMs, formatInstant } from '../../../platform/time/time.ts';
import { firstIdOf } from '../check-store.ts';

/** Checks in one statement. */
const portion = 500;
/** The longest time from the id of a check to the end of the transaction that stores it. */
const storedWithinMs = 60_000;

/** Calls to the registry in a UTC day, of all processes together. */
export type DayCalls = { readonly background: number; readonly callers: number };

/** Reads the calls of the day of a moment. */
export async function readDayCalls(db: Db, nowMs: number): Promise<DayCalls> {
  const row = await db
    .selectFrom('registry_calls')
    .select(['background', 'callers'])
    .where('day', '=', dateIn('UTC', nowMs))
    .executeTakeFirst();
  return row ?? { background: 0, callers: 0 };
}

/** Whether no background call is left of VIES_CALLS_PER_DAY today. */
export async function isBudgetSpent(db: Db, nowMs: number, perDay: RequestLimit): Promise<boolean> {
  return perDay !== 'none' && (await readDayCalls(db, nowMs)).background >= perDay;
}

/** Counts one background call of today; false, and counts nothing, if the budget is used up. The row stays locked. */
export async function takeCall(tx: Tx, day: string, perDay: RequestLimit): Promise<boolean> {
  const counted = await tx
    .insertInto('registry_calls')
    .values({ day, background: 1, callers: 0, prolonged_to: '' })
    .onConflict((conflict) => {
      const added = conflict
        .column('day')
        .doUpdateSet({ background: sql<number>`registry_calls.background + 1` });
      return perDay === 'none' ? added : added.where('registry_calls.background', '<', perDay);
    })
    .returning('day')
    .executeTakeFirst();
  return counted !== undefined;
}

/** Counts a call less that was not made. */
export async function giveCallBack(db: Db, day: string): Promise<void> {
  await db
    .updateTable('registry_calls')
    .set((e) => ({ background: e('background', '-', 1) }))
    .where('day', '=', day)
    .where('background', '>', 0)
    .execute();
}

/**
 * Prolongs pending checks by the rest of today, because the budget of today is used up: this wait does not count towards
 * `expiresInHours` (rule K21). Called again and again, also by several processes, it prolongs each check once a day; checks
 * that are created later follow. Those to which no attempt is to come are left as they are.
 */
export async function prolongWaiting(db: Db, nowMs: number): Promise<void> {
  const day = dateIn('UTC', nowMs);
  const restMs = (Math.floor(nowMs / dayMs) + 1) * dayMs - nowMs;
  // Checks with an earlier id may still be stored, so the youngest wait for a later call, which makes up for it.
  const before = firstIdOf('vc', nowMs - storedWithinMs);
  const lateMs = restMs + storedWithinMs;
  await inPortions(async () =>
    db.transaction().execute(async (tx) => {
      const of = await tx
        .selectFrom('registry_calls')
        .select('prolonged_to')
        .where('day', '=', day)
        .forUpdate()
        .executeTakeFirst();
      if (of === undefined) return false;
      const rows = await tx
        .selectFrom('vat_checks')
        .select(['id', 'expires_at', 'due_at'])
        .where('status', '=', 'pending')
        .where('id', '>', of.prolonged_to)
        .where('id', '<', before)
        .orderBy('id')
        .limit(portion)
        .forUpdate()
        .execute();
      const last = rows.at(-1);
      if (last === undefined) return false;
      const prolonged = rows
        .filter(({ due_at }) => due_at !== null)
        .map(({ id, expires_at }) => {
          const expiresAt = formatInstant(Date.parse(expires_at) + lateMs);
          return sql`(${id}, ${expiresAt})`;
        });
      if (prolonged.length > 0) {
        await sql`
          with later (id, expires_at) as (values ${sql.join(prolonged)})
          update vat_checks
          set expires_at = (select later.expires_at from later where later.id = vat_checks.id)
          where id in (select id from later)`.execute(tx);
      }
      await tx
        .updateTable('registry_calls')
        .set({ prolonged_to: last.id })
        .where('day', '=', day)
        .execute();
      return rows.length === portion;
    }),
  );
}
