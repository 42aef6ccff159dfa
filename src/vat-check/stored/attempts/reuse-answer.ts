import type { Db, Tx } from '../../../platform/database/database.ts';
import { eachPortion } from '../../../platform/database/portions.ts';
import { formatInstant } from '../../../platform/time/time.ts';
import { columnsOfReused } from '../batches/batch-store.ts';
import { findReusable } from '../check-store.ts';
import type { ClaimedCheck } from './claim-next.ts';
import type { OnEnded } from '../on-ended.ts';
import { type CheckRow, toStoredCheck } from '../stored-check.ts';

/** Checks that one transaction ends: each is signed. */
const portionChecks = 20;

/**
 * Ends a check that is claimed for a background attempt with the newest answer of its key to the same question, if one is
 * not older than its `maxAgeSeconds` (rule K8). It is as if a row of a batch reused it, but `attempts` stays as it was.
 * The checks that are claimed with it end as well if they may. Returns whether the check has ended.
 */
export async function reuseAnswer(
  db: Db,
  claimed: ClaimedCheck,
  { nowMs, onEnded }: { readonly nowMs: number; readonly onEnded: OnEnded },
): Promise<boolean> {
  const { id, keyId, queried, claim, countedOn, equal = [] } = claimed;
  // A check whose caller waits was created a moment ago, after the same look-up.
  if (queried === undefined || countedOn === undefined || claimed.maxAgeSeconds === 0) return false;
  const oldestMs = ({ maxAgeSeconds }: { readonly maxAgeSeconds: number }): number =>
    nowMs - maxAgeSeconds * 1_000;
  const question = { ...claimed, queried, oldestMs: oldestMs(claimed) };
  const [source] = await findReusable(db, keyId, [question]);
  if (source === undefined) return false;
  const ended = new Set<string>();
  await eachPortion([id, ...equal], portionChecks, async (ids) => {
    const endedNow = await db.transaction().execute(async (tx) => {
      const endedIds: string[] = [];
      const rows = await lockChecks(tx, [source.id, ...ids]);
      // An answer that was deleted meanwhile does not come back.
      if (!rows.some((row) => row.id === source.id)) return endedIds;
      for (const row of rows) {
        if (row.status !== 'pending' || row.claim !== claim) continue;
        const oldest = formatInstant(oldestMs(toStoredCheck(row)));
        if (row.max_age_seconds === 0 || (source.ended_at ?? '') < oldest) continue;
        await copyExchange(tx, source.id, row.id);
        const set = columnsOfReused(row, source);
        await tx.updateTable('vat_checks').set(set).where('id', '=', row.id).execute();
        await onEnded(tx, toStoredCheck({ ...row, ...set }));
        endedIds.push(row.id);
      }
      return endedIds;
    });
    for (const one of endedNow) ended.add(one);
  });
  return ended.has(id);
}

async function lockChecks(tx: Tx, ids: readonly string[]): Promise<CheckRow[]> {
  const checks = tx.selectFrom('vat_checks').selectAll().where('id', 'in', ids);
  // In the order of all transactions that lock several checks.
  return checks.orderBy('id').forUpdate().execute();
}

/** Copies the exchange of a check to another one, in place of that of a failed attempt, and without its signature. */
async function copyExchange(tx: Tx, from: string, to: string): Promise<void> {
  await tx.deleteFrom('vat_check_exchanges').where('check_id', '=', to).execute();
  const exchange = await tx
    .selectFrom('vat_check_exchanges')
    .select(['url', 'request', 'response', 'requested_at', 'answered_at', 'head', 'control'])
    .where('check_id', '=', from)
    .executeTakeFirst();
  if (exchange === undefined) return;
  await tx
    .insertInto('vat_check_exchanges')
    .values({ check_id: to, ...exchange })
    .execute();
}
