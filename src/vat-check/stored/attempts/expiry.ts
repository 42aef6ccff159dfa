import { sql } from 'kysely';
import { isUnclaimed } from '../../../platform/database/claims.ts';
import type { Db } from '../../../platform/database/database.ts';
import { oneByOne } from '../../../platform/database/portions.ts';
import { isDatabaseUnavailable } from '../../../platform/database/unavailable.ts';
import { formatInstant } from '../../../platform/time/time.ts';
import { writeExpiry } from './check-results.ts';
import type { OnEnded } from '../on-ended.ts';
import { isWorking } from '../owner.ts';

/** The most checks that one call ends, so that a stop does not wait long. */
const portion = 200;

/**
 * Ends pending checks as expired: those that no answer came to in time, and those whose key was revoked or has expired.
 * Checks whose attempt is under way are left to it. While the clock is not trusted, only those of revoked keys are ended.
 * Returns whether there may be more.
 *
 * If the end of a check cannot be written, the others are ended, and then the first error is thrown.
 */
export async function endExpired(
  db: Db,
  at: { readonly nowMs: number; readonly isClockTrusted: boolean; readonly onEnded: OnEnded },
): Promise<boolean> {
  const { nowMs, isClockTrusted, onEnded } = at;
  const now = formatInstant(nowMs);
  // No moment is before the empty text.
  const expiredBy = isClockTrusted ? now : '';
  const failures: unknown[] = [];
  let ended = 0;
  for (const { key_id: keyId, is_over: isOver } of await listKeysWithExpired(db, expiredBy)) {
    const keyHasEnded = isOver === 1;
    let chosen = db
      .selectFrom('vat_checks')
      .select('id')
      .where('key_id', '=', keyId)
      .where('status', '=', 'pending')
      .where(isUnclaimed('vat_checks', now))
      .orderBy('expires_at')
      .limit(portion - ended);
    if (!keyHasEnded) chosen = chosen.where('expires_at', '<=', expiredBy);
    // Each has a transaction and a signature.
    await oneByOne(await chosen.execute(), async ({ id }) => {
      try {
        const check = await writeExpiry(db, id, { nowMs, keyHasEnded, onEnded });
        if (check !== undefined) ended += 1;
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
        failures.push(error);
      }
    });
    if (ended >= portion) break;
  }
  if (failures.length > 0) throw failures[0];
  return ended >= portion;
}

/** Keys that have ended or have an expired check, of those with pending checks; `is_over` is 1 for an ended key. */
async function listKeysWithExpired(db: Db, now: string) {
  const next = sql`select min(key_id) from vat_checks where status = 'pending'`;
  const isOver = sql`not ${isWorking(sql`keys.key_id`, now)}`;
  // Each step of the recursion finds the next key by the index, however many pending checks the key before has.
  const { rows } = await sql<{ key_id: string; is_over: number }>`
    with recursive keys(key_id) as (
      ${next}
      union all
      select (${next} and key_id > keys.key_id) from keys where keys.key_id is not null
    )
    select key_id, case when ${isOver} then 1 else 0 end as is_over from keys
    where key_id is not null and (${isOver} or exists (
      select 1 from vat_checks as old
      where old.key_id = keys.key_id and old.status = 'pending' and old.expires_at <= ${now}
    ))`.execute(db);
  return rows;
}
