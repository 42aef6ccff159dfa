import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { formatInstant, systemClock } from '../../platform/time/time.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { countFailedWatches } from '../../vat-check/watches/failed-watches.ts';
import { type Finding, ok, warning } from './finding.ts';

/** An attempt that is due for longer is not made, or there is a long backlog. */
const overdueMs = 3_600_000;

/** Counts the pending stored checks, and warns if attempts are due for over an hour. */
export async function checkStoredChecks(db: Db): Promise<Finding> {
  const overdueAt = formatInstant(systemClock.now() - overdueMs);
  const row = await db
    .selectFrom('vat_checks')
    .select([
      sql<number | string>`count(*)`.as('pending'),
      sql<number | string>`count(case when due_at < ${overdueAt} then 1 end)`.as('overdue'),
    ])
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  const [pending, overdue] = [Number(row.pending), Number(row.overdue)];
  if (overdue === 0) return ok('stored checks', `${pending} pending`);
  return warning(
    'stored checks',
    `${pending} pending, ${overdue} of them due for over an hour`,
    'a server with JOBS=on makes their attempts: at most VIES_BACKGROUND_PER_SECOND, and VIES_CALLS_PER_DAY in a UTC day; its /status says when they will be done',
  );
}

/** Counts the watches, and warns if numbers are not watched at present. */
export async function checkWatches(db: Db): Promise<Finding> {
  const all = db.selectFrom('vat_watches').select((e) => e.fn.countAll().as('count'));
  const count = Number((await all.executeTakeFirstOrThrow()).count);
  const counts = Object.entries(await countFailedWatches(db, systemClock.now()));
  const failed = counts.filter(([, ofError]) => ofError > 0);
  if (failed.length === 0) return ok('watches', `${count} watched numbers`);
  const sum = failed.reduce((before, [, ofError]) => before + ofError, 0);
  const byError = failed.map(([error, ofError]) => `${ofError} ${error}`).join(', ');
  return warning(
    'watches',
    `${sum} of ${count} numbers are not watched at present: ${byError}`,
    `"${vatfx('watches list')}" shows them; "${vatfx('keys change')}" gives more quota, and callers put a watch again with another requester`,
  );
}
