import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Scope } from '../../platform/scope.ts';
import { formatInstant } from '../../platform/time.ts';
import { readRequesterText } from '../requester.ts';
import { isRequesterAllowed } from '../stored/check-request.ts';
import { insertChecks } from '../stored/check-store.ts';
import { isWorking } from '../stored/owner.ts';
import { slotAfter } from './schedule.ts';
import { toWatch, type Watch } from './watch.ts';

/** The scope of a key that its watches need. */
const scope: Scope = 'checks';
/** The most due watches that one statement reads. */
const portion = 100;
/** How long the check of a watch may stay pending. Until then no further check of the watch is made. */
const expiresInHours = 720;

/** A watch whose check is due. */
export type DueWatch = {
  readonly watch: Watch;
  /** Whether the key may make checks: it has the scope, and neither was revoked nor has expired. */
  readonly isKeyWorking: boolean;
  /** Whether the key may use the requester of the watch. */
  readonly isRequesterAllowed: boolean;
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
    .leftJoin('api_keys as key', 'key.id', 'watch.key_id')
    .selectAll('watch')
    .select(['last.id as pending_id', 'key.scopes', 'key.requester'])
    .select(isWorking(sql`watch.key_id`, now).as('is_key_working'))
    .where('watch.due_at', '<=', now)
    .orderBy('watch.due_at')
    .orderBy('watch.id')
    .limit(portion)
    .execute();
  return rows.map((row) => {
    const watch = toWatch(row);
    const ofKey = readRequesterText(row.requester ?? '');
    return {
      watch,
      isKeyWorking: Boolean(row.is_key_working) && row.scopes?.split(' ').includes(scope) === true,
      isRequesterAllowed: isRequesterAllowed(watch.requester, { ofKey }),
      isPending: row.pending_id !== null,
    };
  });
}

/** Moves the check of a due watch to its next slot; nothing if another process has moved it. */
export async function skipSlot(
  db: Db,
  watch: Watch,
  { nowMs, error = watch.error }: { readonly nowMs: number; readonly error?: Watch['error'] },
): Promise<void> {
  const due_at = nextSlot(watch, nowMs);
  await whileDue(db, watch).set({ due_at, slot_at: due_at, error }).execute();
}

/** Moves the check of a due watch that there is no quota for; nothing if another process has moved it. */
export async function waitForQuota(db: Db, watch: Watch, untilMs: number): Promise<void> {
  const set = { due_at: formatInstant(untilMs), error: 'QUOTA_EXCEEDED' } as const;
  await whileDue(db, watch).set(set).execute();
}

/**
 * Lets watches follow a change of their keys; undefined `keyIds` means all keys. Those that were not checked because of
 * their key (no quota left, or a requester that it may not use) are due now, and are judged again. Those whose requester the
 * key may no longer use have the error from now on.
 */
export async function followKeys(
  db: Db,
  keyIds: ReadonlySet<string> | undefined,
  nowMs: number,
): Promise<void> {
  const all = db.updateTable('vat_watches');
  const ofKeys = keyIds === undefined ? all : all.where('key_id', 'in', [...keyIds]);
  await ofKeys
    .set({ due_at: formatInstant(nowMs) })
    .where('error', 'in', ['QUOTA_EXCEEDED', 'INVALID_REQUESTER'])
    .where('due_at', '>', formatInstant(nowMs))
    .execute();
  await ofKeys
    .set({ error: 'INVALID_REQUESTER' })
    .where('requester_code', 'is not', null)
    .where((e) =>
      e.exists(
        e
          .selectFrom('api_keys as key')
          .select('key.id')
          .whereRef('key.id', '=', 'vat_watches.key_id')
          .where('key.requester', '<>', sql<string>`requester_code || requester_number`),
      ),
    )
    .execute();
}

/** `created`, `gone` if another process was first or the watch has changed, or `noQuota`: then nothing is stored. */
export type WatchCheckCreation = 'created' | 'gone' | 'noQuota';

/**
 * Creates the check of a due watch, due now, and moves the watch to its next slot. The check is charged as the last step of
 * the transaction, so only a check that is created is charged, and of several processes one charges.
 */
export async function createWatchCheck(
  db: Db,
  due: Watch,
  { nowMs, charge }: { readonly nowMs: number; readonly charge: () => Promise<boolean> },
): Promise<WatchCheckCreation> {
  const create = async (tx: Tx): Promise<WatchCheckCreation> => {
    const row = await tx
      .selectFrom('vat_watches')
      .selectAll()
      .where('id', '=', due.id)
      .where('due_at', '=', due.dueAt)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return 'gone';
    const watch = toWatch(row);
    const [check] = await insertChecks(tx, [{ ...watch, expiresInHours }], {
      nowMs,
      watchId: watch.id,
    });
    if (check === undefined) throw new Error('the check of a watch was not created');
    const due_at = nextSlot(watch, nowMs);
    await tx
      .updateTable('vat_watches')
      .set({ due_at, slot_at: due_at, error: errorAfterCreation(watch), last_check_id: check.id })
      .where('id', '=', watch.id)
      .execute();
    if (!(await charge())) throw new NoQuota();
    return 'created';
  };
  try {
    return await db.transaction().execute(create);
  } catch (error) {
    if (error instanceof NoQuota) return 'noQuota';
    throw error;
  }
}

/** Rolls the creation of a check back. */
class NoQuota extends Error {}

/** A refusal by the registry stays until an answer comes. */
function errorAfterCreation({ error }: Watch): Watch['error'] {
  return error === 'QUOTA_EXCEEDED' ? null : error;
}

function nextSlot({ slotAt, everyDays }: Watch, nowMs: number): string {
  return formatInstant(slotAfter(Date.parse(slotAt), nowMs, everyDays));
}

/** An update of a watch that does nothing if its `dueAt` has changed since it was read. */
function whileDue(db: Db, { id, dueAt }: Watch) {
  return db.updateTable('vat_watches').where('id', '=', id).where('due_at', '=', dueAt);
}
