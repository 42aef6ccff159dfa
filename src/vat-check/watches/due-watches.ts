import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { formatInstant } from '../../platform/time.ts';
import { insertChecks } from '../stored/check-store.ts';
import { isWorking } from '../stored/owner.ts';
import { slotAfter } from './schedule.ts';
import { toWatch, type Watch } from './watch.ts';

/** The most due watches that one statement reads. */
const portion = 100;
/** How long the check of a watch may stay pending. Until then no further check of the watch is made. */
const expiresInHours = 720;

/** A watch whose check is due. */
export type DueWatch = {
  readonly watch: Watch;
  /** Whether the key neither was revoked nor has expired. */
  readonly isKeyWorking: boolean;
  /** Whether its check before has not ended yet. */
  readonly isPending: boolean;
};

/** Lists some due watches, the longest due first. It only reads. */
export async function listDue(db: Db, nowMs: number): Promise<DueWatch[]> {
  const now = formatInstant(nowMs);
  const rows = await db
    .selectFrom('vat_watches as watch')
    .leftJoin('vat_checks as last', (join) =>
      join.onRef('last.id', '=', 'watch.last_check_id').on('last.status', '=', 'pending'),
    )
    .selectAll('watch')
    .select(['last.id as pending_id', isWorking(sql`watch.key_id`, now).as('is_key_working')])
    .where('watch.due_at', '<=', now)
    .orderBy('watch.due_at')
    .orderBy('watch.id')
    .limit(portion)
    .execute();
  return rows.map((row) => ({
    watch: toWatch(row),
    isKeyWorking: Boolean(row.is_key_working),
    isPending: row.pending_id !== null,
  }));
}

/** Moves the check of a due watch to its next slot; nothing if another process has moved it. */
export async function skipSlot(db: Db, watch: Watch, nowMs: number): Promise<void> {
  const due_at = nextSlot(watch, nowMs);
  await whileDue(db, watch).set({ due_at, slot_at: due_at }).execute();
}

/** Moves the check of a due watch that there is no quota for; nothing if another process has moved it. */
export async function waitForQuota(db: Db, watch: Watch, untilMs: number): Promise<void> {
  const set = { due_at: formatInstant(untilMs), error: 'QUOTA_EXCEEDED' } as const;
  await whileDue(db, watch).set(set).execute();
}

/**
 * Claims a due watch for one process until a moment; undefined if another process has claimed or changed it. After a crash
 * it is due again at that moment.
 */
export async function claimWatch(
  db: Db,
  watch: Watch,
  untilMs: number,
): Promise<Watch | undefined> {
  const dueAt = formatInstant(untilMs);
  const { numUpdatedRows } = await whileDue(db, watch).set({ due_at: dueAt }).executeTakeFirst();
  return numUpdatedRows > 0n ? { ...watch, dueAt } : undefined;
}

/**
 * Creates the check of a claimed watch, due now, and moves the watch to its next slot. Returns the id of the check;
 * undefined if the claim has ended, or the watch was deleted meanwhile.
 */
export async function createWatchCheck(
  db: Db,
  claimed: Watch,
  nowMs: number,
): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('vat_watches')
      .selectAll()
      .where('id', '=', claimed.id)
      .where('due_at', '=', claimed.dueAt)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const watch = toWatch(row);
    const [check] = await insertChecks(tx, [{ ...watch, expiresInHours }], {
      nowMs,
      watchId: watch.id,
    });
    if (check === undefined) throw new Error('the check of a watch was not created');
    const due_at = nextSlot(watch, nowMs);
    await tx
      .updateTable('vat_watches')
      .set({ due_at, slot_at: due_at, error: null, last_check_id: check.id })
      .where('id', '=', watch.id)
      .execute();
    return check.id;
  });
}

function nextSlot({ slotAt, everyDays }: Watch, nowMs: number): string {
  return formatInstant(slotAfter(Date.parse(slotAt), nowMs, everyDays));
}

/** An update of a watch that does nothing if its `dueAt` has changed since it was read. */
function whileDue(db: Db, { id, dueAt }: Watch) {
  return db.updateTable('vat_watches').where('id', '=', id).where('due_at', '=', dueAt);
}
