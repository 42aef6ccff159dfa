import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import {
  claimColumns,
  createClaim,
  isClaimable,
  unclaimed,
} from '../../platform/database/claims.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { markCommit } from '../../platform/database/marks.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { dateIn, formatInstant, midnightOf, monthOf } from '../../platform/time/time.ts';
import { readRequesters } from '../numbers/requester.ts';
import type { AnnounceOfKey } from '../stored/check-events.ts';
import { isRequesterAllowed } from '../stored/requests/check-request.ts';
import { insertChecks } from '../stored/check-store.ts';
import type { OpenCharges } from '../stored/open-charges.ts';
import { isWorking } from '../stored/owner.ts';
import { slotAfter } from './schedule.ts';
import { announceNotMade } from './watch-events.ts';
import { toWatch, type Watch, type WatchRow } from './watch.ts';

/** The scope of a key that its watches need. */
const scope: Scope = 'checks';
/** The most due watches that one process claims at a time. */
const portion = 100;
/** Longer than the checks of these watches take to be created. */
const claimMs = 30_000;
/** How long the check of a watch may stay pending. Until then no further check of the watch is made. */
const expiresInHours = 720;

/** A watch whose check is due, and which only this process may move until its claim ends. */
export type DueWatch = {
  readonly watch: Watch;
  readonly claim: string;
  /** Whether the key may make checks: it has the scope, and neither was revoked nor has expired. */
  readonly isKeyWorking: boolean;
  /** Whether the key may use the requester of the watch. */
  readonly isRequesterAllowed: boolean;
  /** Whether its check before has not ended yet. */
  readonly isPending: boolean;
};

/** Claims some due watches, the longest due first. If none is due, it only reads. */
export async function claimDueWatches(db: Db, nowMs: number): Promise<DueWatch[]> {
  const now = formatInstant(nowMs);
  const due = selectDue(db, now).select('watch.id').limit(1);
  if ((await due.executeTakeFirst()) === undefined) return [];
  return db.transaction().execute(async (tx) => claimRows(tx, now));
}

function selectDue(db: Db, now: string) {
  return db.selectFrom('vat_watches as watch').where(isClaimable('watch', now));
}

async function claimRows(tx: Tx, now: string): Promise<DueWatch[]> {
  const rows = await selectDue(tx, now)
    .leftJoin('vat_checks as last', (join) =>
      join.onRef('last.id', '=', 'watch.last_check_id').on('last.status', '=', 'pending'),
    )
    .leftJoin('api_keys as key', 'key.id', 'watch.key_id')
    .selectAll('watch')
    .select(['last.id as pending_id', 'key.scopes', 'key.requester', 'key.further_requesters'])
    .select(isWorking(sql`watch.key_id`, now).as('is_key_working'))
    .orderBy('watch.due_at')
    .orderBy('watch.id')
    .limit(portion)
    .forUpdate('watch')
    .skipLocked()
    .execute();
  const ids = rows.map(({ id }) => id);
  const claim = createClaim(formatInstant(Date.parse(now) + claimMs));
  if (ids.length > 0) {
    await tx.updateTable('vat_watches').set(claimColumns(claim)).where('id', 'in', ids).execute();
  }
  return rows.map((row) => {
    const watch = toWatch(row);
    const ofKey = readRequesters(`${row.requester ?? ''},${row.further_requesters ?? ''}`);
    return {
      watch,
      claim: claim.id,
      isKeyWorking: Boolean(row.is_key_working) && row.scopes?.split(' ').includes(scope) === true,
      isRequesterAllowed: isRequesterAllowed(watch.requester, { ofKey }),
      isPending: row.pending_id !== null,
    };
  });
}

/** Ends the claims of due watches, which stay due. */
export async function release(db: Db, due: readonly DueWatch[]): Promise<void> {
  if (due.length === 0) return;
  const ids = due.map(({ watch }) => watch.id);
  const claims = [...new Set(due.map(({ claim }) => claim))];
  const all = db.updateTable('vat_watches').set(unclaimed).where('id', 'in', ids);
  await all.where('claim', 'in', claims).execute();
}

/** Moves the check of a due watch to its next slot; nothing if the claim has ended. */
export async function skipSlot(db: Db, { watch, claim }: DueWatch, nowMs: number): Promise<void> {
  const slot_at = nextSlot(watch, nowMs);
  await db
    .updateTable('vat_watches')
    .set({ ...unclaimed, due_at: slot_at, slot_at })
    .where('id', '=', watch.id)
    .where('claim', '=', claim)
    .where('due_at', '=', watch.dueAt)
    .execute();
}

/**
 * Moves the check of a due watch that is not made, to the next month for a quota and to its next slot for a requester.
 * Nothing if the claim has ended. The error is announced if none was since the newest answer.
 */
export async function failDue(
  db: Db,
  due: DueWatch,
  error: 'QUOTA_EXCEEDED' | 'INVALID_REQUESTER',
  { nowMs, announce }: { readonly nowMs: number; readonly announce: AnnounceOfKey },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Checks are locked before their watches, as in every transaction. The event may get a copy of the check.
    const last = tx.selectFrom('vat_checks').select('id').where('id', '=', due.watch.lastCheckId);
    await last.forKeyShare().execute();
    const row = await lockDue(tx, due);
    if (row === undefined) return;
    const slot_at = nextSlot(toWatch(row), nowMs);
    const moved =
      error === 'QUOTA_EXCEEDED'
        ? { due_at: formatInstant(nextMonthMs(nowMs)) }
        : { due_at: slot_at, slot_at };
    const set = { ...unclaimed, ...moved, error, failed_at: row.failed_at ?? formatInstant(nowMs) };
    await tx.updateTable('vat_watches').set(set).where('id', '=', row.id).execute();
    if (row.failed_at === null) await announceNotMade(tx, announce, toWatch({ ...row, ...set }));
  });
}

/**
 * Lets watches follow a change of their keys; undefined `keyIds` means all keys. Those whose requester the key may no longer
 * use have the error from now on. They are due now, so that the error is announced, and so are those that were not checked
 * because of their key: no quota was left, or it could not use the requester. A requester that the registry has refused
 * waits for the next slot. Pending checks of watches expire now if the key has lost the scope, so that nothing is queried.
 */
export async function followKeys(
  db: Db,
  keyIds: ReadonlySet<string> | undefined,
  nowMs: number,
): Promise<void> {
  const all = db.updateTable('vat_watches');
  const ofKeys = keyIds === undefined ? all : all.where('key_id', 'in', [...keyIds]);
  const now = formatInstant(nowMs);
  await expireWithoutScope(db, keyIds, now);
  await ofKeys
    .set({ ...unclaimed, error: 'INVALID_REQUESTER', due_at: now })
    .where('requester_code', 'is not', null)
    .where(sql<SqlBool>`error is distinct from 'INVALID_REQUESTER'`)
    .where(isRequesterForbidden)
    .execute();
  await ofKeys
    .set({ ...unclaimed, due_at: now })
    .where('due_at', '>', now)
    .where((e) =>
      e.or([
        e('error', '=', 'QUOTA_EXCEEDED'),
        e.and([
          e('error', '=', 'INVALID_REQUESTER'),
          e.not(isRequesterForbidden(e)),
          e.not(wasRefused(e)),
        ]),
      ]),
    )
    .execute();
}

async function expireWithoutScope(
  db: Db,
  keyIds: ReadonlySet<string> | undefined,
  now: string,
): Promise<void> {
  const withoutScope = db
    .selectFrom('api_keys')
    .select('id')
    .where(sql<SqlBool>`' ' || scopes || ' ' not like ${`% ${scope} %`}`);
  const ofKeys = keyIds === undefined ? withoutScope : withoutScope.where('id', 'in', [...keyIds]);
  await db
    .updateTable('vat_checks')
    // An attempt under way keeps its claim, and is the last one.
    .set({ expires_at: now, due_at: sql`case when claim is null then null else due_at end` })
    .where('status', '=', 'pending')
    .where('watch_id', 'is not', null)
    .where('expires_at', '>', now)
    .where('key_id', 'in', ofKeys)
    .execute();
}

type OfWatches = ExpressionBuilder<Tables, 'vat_watches'>;

/** The requesters of a key, each between commas. */
const ofKey = sql<string>`',' || coalesce(key.requester, '') || ',' || coalesce(key.further_requesters || ',', '')`;

/** Whether the key of a watch has requesters, and another one than the watch. */
function isRequesterForbidden(e: OfWatches): Expression<SqlBool> {
  return e.exists(
    e
      .selectFrom('api_keys as key')
      .select('key.id')
      .whereRef('key.id', '=', 'vat_watches.key_id')
      .where((of) => of(ofKey, '<>', ',,'))
      .where(sql<SqlBool>`${ofKey} not like '%,' || requester_code || requester_number || ',%'`),
  );
}

/** Whether the registry has refused the newest check of a watch. */
function wasRefused(e: OfWatches): Expression<SqlBool> {
  return e.exists(
    e
      .selectFrom('vat_checks as last')
      .select('last.id')
      .whereRef('last.id', '=', 'vat_watches.last_check_id')
      .where('last.refused', 'is not', null),
  );
}

/** `created`, `gone` if the claim has ended, or `noQuota`: then nothing is stored. */
export type WatchCheckCreation = 'created' | 'gone' | 'noQuota';

/**
 * Creates the check of a due watch, due now, and moves the watch to its next slot. The check is charged as the last step of
 * the transaction, so only a check that is created is charged, and of several processes one charges.
 */
export async function createWatchCheck(
  db: Db,
  due: DueWatch,
  { nowMs, charge, charges }: WatchCheckParts,
): Promise<WatchCheckCreation> {
  const name = `${due.watch.id} ${due.watch.dueAt}`;
  const create = async (tx: Tx): Promise<WatchCheckCreation> => {
    await markCommit(tx);
    const row = await lockDue(tx, due);
    if (row === undefined) return 'gone';
    const watch = toWatch(row);
    const [check] = await insertChecks(tx, [{ ...watch, expiresInHours, maxAgeSeconds: 0 }], {
      nowMs,
      watchId: watch.id,
    });
    if (check === undefined) throw new Error('the check of a watch was not created');
    const due_at = nextSlot(watch, nowMs);
    await tx
      .updateTable('vat_watches')
      .set({
        ...unclaimed,
        due_at,
        slot_at: due_at,
        error: errorAfterCreation(watch),
        last_check_id: check.id,
      })
      .where('id', '=', watch.id)
      .execute();
    if (!(await charges.charge(name, 1, charge))) throw new NoQuota();
    return 'created';
  };
  try {
    const creation = await db.transaction().execute(create);
    charges.end(name);
    return creation;
  } catch (error) {
    if (error instanceof NoQuota) return 'noQuota';
    throw error;
  }
}

type WatchCheckParts = {
  readonly nowMs: number;
  readonly charge: () => Promise<boolean>;
  readonly charges: OpenCharges;
};

/** Rolls the creation of a check back. */
class NoQuota extends Error {}

/** A refusal by the registry stays until an answer comes. */
function errorAfterCreation({ error }: Watch): Watch['error'] {
  return error === 'QUOTA_EXCEEDED' ? null : error;
}

function nextSlot({ slotAt, everyDays }: Watch, nowMs: number): string {
  return formatInstant(slotAfter(Date.parse(slotAt), nowMs, everyDays));
}

/** The beginning of the next month (UTC), from which quotas are counted from 0 again. */
function nextMonthMs(nowMs: number): number {
  return midnightOf(monthOf(dateIn('UTC', nowMs)).nextFirst);
}

/** Locks the row of a due watch; undefined if its claim has ended. A replica of version 0.2 moves `due_at` without a claim. */
async function lockDue(tx: Tx, { watch, claim }: DueWatch): Promise<WatchRow | undefined> {
  const row = tx.selectFrom('vat_watches').selectAll().where('id', '=', watch.id);
  const held = row.where('claim', '=', claim).where('due_at', '=', watch.dueAt);
  return held.forUpdate().executeTakeFirst();
}
