import type { Tx } from '../../platform/database/database.ts';
import { formatInstant } from '../../platform/time/time.ts';
import { readRequesters } from '../numbers/requester.ts';
import { isRequesterAllowed } from '../stored/requests/check-request.ts';
import { findCheck } from '../stored/check-store.ts';
import type { StoredCheck } from '../stored/stored-check.ts';
import { confirmationOf } from './schedule.ts';
import { type ChangedField, observe, type WatchedAnswer } from './transition.ts';
import { toWatch, type Watch, type WatchRow } from './watch.ts';

/** Two answers about a watched number that differ (rule K14). */
export type WatchChange = {
  readonly kind: 'changed';
  /** The watch after the change. */
  readonly watch: Watch;
  readonly previous: StoredCheck;
  readonly current: StoredCheck;
  /** At least one. */
  readonly changed: readonly ChangedField[];
};

/** The refusal of a check of a watch, the first since the newest answer (rule K13). */
type WatchFailure = {
  readonly kind: 'failed';
  /** The watch after the refusal. */
  readonly watch: Watch;
};

/** A change or a failure of a watch, which is reported to its key. */
type Observed = WatchChange | WatchFailure;

/** An answer with the check that it came from. */
type Answered = WatchedAnswer & { readonly check: StoredCheck };

/**
 * Writes the state of a watch after one of its checks has ended, in the transaction that ends the check, and returns what
 * is to be reported; undefined if there is nothing.
 *
 * Only an answer counts: a check that has expired changes nothing, and a refusal by the registry only the error of the
 * watch, until an answer comes. An error of the key stays: the registry was queried before the key changed. The row of the
 * watch is locked after that of the check, as in every transaction that locks both.
 */
export async function observeCheck(tx: Tx, check: StoredCheck): Promise<Observed | undefined> {
  const current = toAnswered(check);
  if (check.watchId === null || (current === undefined && check.refused === null)) return undefined;
  const row = await tx
    .selectFrom('vat_watches')
    .selectAll()
    .where('id', '=', check.watchId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (current === undefined) return writeRefusal(tx, row, check);
  const watch = toWatch(row);
  const baseline = await findBaseline(tx, watch);
  const { unconfirmedFalseAt } = watch;
  const unconfirmedFalseAtMs =
    unconfirmedFalseAt === null ? undefined : Date.parse(unconfirmedFalseAt);
  const { state, changed } = observe({ baseline, unconfirmedFalseAtMs }, current);
  const falseAtMs = state.unconfirmedFalseAtMs;
  const isOfKey =
    row.error === 'QUOTA_EXCEEDED' ||
    (row.error === 'INVALID_REQUESTER' && !(await mayUseRequester(tx, watch)));
  const set = {
    baseline_check_id: state.baseline?.check.id ?? null,
    ...(isOfKey ? {} : { error: null, failed_at: null }),
    unconfirmed_false_at: falseAtMs === undefined ? null : formatInstant(falseAtMs),
    // The next check confirms the false answer, whatever the period is.
    ...(falseAtMs !== undefined && { due_at: formatInstant(confirmationOf(row.id, falseAtMs)) }),
  };
  await tx.updateTable('vat_watches').set(set).where('id', '=', row.id).execute();
  if (baseline === undefined || changed.length === 0) return undefined;
  const { check: previous } = baseline;
  return { kind: 'changed', watch: toWatch({ ...row, ...set }), previous, current: check, changed };
}

/** Writes the error of a watch whose check the registry has refused. */
async function writeRefusal(
  tx: Tx,
  row: WatchRow,
  { refused, endedAt }: StoredCheck,
): Promise<WatchFailure | undefined> {
  const set = {
    error: refused === 'requester' ? ('INVALID_REQUESTER' as const) : ('INVALID_INPUT' as const),
    failed_at: row.failed_at ?? endedAt,
  };
  await tx.updateTable('vat_watches').set(set).where('id', '=', row.id).execute();
  if (row.failed_at !== null) return undefined;
  return { kind: 'failed', watch: toWatch({ ...row, ...set }) };
}

/** Whether the key of a watch may use its requester now. */
async function mayUseRequester(tx: Tx, { keyId, requester }: Watch): Promise<boolean> {
  if (requester === undefined) return true;
  const key = await tx
    .selectFrom('api_keys')
    .select(['requester', 'further_requesters'])
    .where('id', '=', keyId)
    .executeTakeFirst();
  const ofKey = readRequesters(`${key?.requester ?? ''},${key?.further_requesters ?? ''}`);
  return isRequesterAllowed(requester, { ofKey });
}

/** The newest answer that counted; undefined if there is none, or if its check was deleted. */
async function findBaseline(
  tx: Tx,
  { keyId, baselineCheckId }: Watch,
): Promise<Answered | undefined> {
  if (baselineCheckId === null) return undefined;
  // The check cannot be deleted until the transaction ends, because an event may get a copy of it.
  const baseline = tx.selectFrom('vat_checks').select('id').where('id', '=', baselineCheckId);
  await baseline.forKeyShare().execute();
  const check = await findCheck(tx, keyId, baselineCheckId);
  return check === undefined ? undefined : toAnswered(check);
}

function toAnswered(check: StoredCheck): Answered | undefined {
  const { answer, endedAt } = check;
  if (answer === undefined || endedAt === null) return undefined;
  const { valid, name, address } = answer;
  return { atMs: Date.parse(endedAt), valid, name, address, check };
}
