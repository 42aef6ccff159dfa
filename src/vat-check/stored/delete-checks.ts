import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { inPortions } from '../../platform/database/portions.ts';
import { bumpRevision } from '../../platform/database/replicas/revisions.ts';
import type { VatNumber } from '../numbers/vat-number.ts';
import { storedCodesOf } from '../registries/registry-code.ts';
import { firstIdOf } from './ids.ts';
import { operatorId } from './owner.ts';
import type { CheckRow } from './stored-check.ts';
import { forgetWatches, type OnWatchesDeleted } from '../watches/watch-store.ts';

/** Checks that one transaction deletes: each has evidence, an event, and a delivery for each subscription. */
const portion = 100;
/** Batches that one statement deletes. */
const portionBatches = 500;

/**
 * Deletes the events about checks, by the ids of the checks, in the transaction that deletes the checks. Of the events about
 * `later` checks, it deletes those that have a copy of one of the checks.
 */
export type OnDeleted = (
  tx: Tx,
  ids: readonly string[],
  later?: readonly string[],
) => Promise<unknown>;

/**
 * Deletes a check of a key with its evidence, and all copies of its answer in events; false if it is of another key, or does
 * not exist (rule K11).
 */
export async function deleteCheck(
  db: Db,
  { keyId, id }: { readonly keyId: string; readonly id: string },
  onDeleted: OnDeleted,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('vat_checks')
      .select(['key_id', 'id', 'registry_code', 'number', 'watch_id'])
      .where('id', '=', id)
      .where('key_id', '=', keyId)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return false;
    const later = await listLaterOfWatch(tx, row);
    await deleteByIds(tx, [id], async (own, ids) => onDeleted(own, ids, later));
    return true;
  });
}

/** The later checks of the same watch: an event about one of them may have this check as the one before the change. */
async function listLaterOfWatch(
  tx: Tx,
  check: Pick<CheckRow, 'key_id' | 'id' | 'registry_code' | 'number' | 'watch_id'>,
): Promise<readonly string[]> {
  if (check.watch_id === null) return [];
  const later = await tx
    .selectFrom('vat_checks')
    .select('id')
    // By number, because there is no index of watches.
    .where('key_id', '=', check.key_id)
    .where('registry_code', '=', check.registry_code)
    .where('number', '=', check.number)
    .where('id', '>', check.id)
    .where('watch_id', '=', check.watch_id)
    .execute();
  return later.map(({ id }) => id);
}

/**
 * Deletes all checks of a number with their evidence, those of every key and of the operator, and all of its watches;
 * returns the counts (rule K18). Checks on whose behalf the number was the requester stay.
 */
export async function forgetNumber(
  db: Db,
  { registryCode, number }: VatNumber,
  on: {
    readonly checksDeleted: OnDeleted;
    /** Called in the transaction that deletes the watches, if there are any. */
    readonly watchesDeleted: OnWatchesDeleted;
  },
): Promise<{ readonly checks: number; readonly watches: number }> {
  // First, because a watch creates checks.
  const watches = await db.transaction().execute(async (tx) => {
    const deleted = await forgetWatches(tx, { registryCode, number });
    if (deleted.length > 0) await on.watchesDeleted(tx, deleted);
    // A number for control questions (rule M10).
    await tx.deleteFrom('registry_controls').where('number', '=', number).execute();
    // Each process forgets the number that it would ask about for itself.
    await bumpRevision(tx, 'forgotten');
    return deleted.length;
  });
  const options = { onDeleted: on.checksDeleted, checksMax: Infinity };
  const checks = await deleteChosen(db, options, async (tx) =>
    tx
      .selectFrom('vat_checks')
      .select('id')
      // By key, because the indexes of numbers begin with the key.
      .where('key_id', 'in', sql<string>`(select id from api_keys union all select ${operatorId})`)
      .where('registry_code', 'in', storedCodesOf(registryCode))
      .where('number', '=', number)
      // The newest first: a check of a watch that ends is locked before the one that it is compared with.
      .orderBy('id', 'desc')
      .limit(portion)
      .forUpdate()
      .execute(),
  );
  return { checks, watches };
}

/**
 * Deletes the ended checks that were created before a moment, and the batches that have no check left; returns the count of
 * checks (rule K18). It stops when at least `checksMax` are deleted.
 */
export async function pruneChecks(
  db: Db,
  beforeMs: number,
  onDeleted: OnDeleted,
  checksMax = Infinity,
): Promise<number> {
  const count = await deleteChosen(db, { onDeleted, checksMax }, async (tx) =>
    tx
      .selectFrom('vat_checks')
      .select('id')
      .where('id', '<', firstIdOf('vc', beforeMs))
      .where('status', '<>', 'pending')
      // The newest answer that a watch compares with stays as long as the watch needs it.
      .where((e) =>
        e.not(
          e.exists(
            e
              .selectFrom('vat_watches')
              .select('vat_watches.id')
              .whereRef('vat_watches.baseline_check_id', '=', 'vat_checks.id'),
          ),
        ),
      )
      .orderBy('id')
      .limit(portion)
      .forUpdate()
      .execute(),
  );
  await inPortions(async () => (await pruneBatches(db, beforeMs)) === portionBatches);
  return count;
}

/** Deletes a portion of the batches without a check that were created before a moment; returns their count. */
async function pruneBatches(db: Db, beforeMs: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('vat_check_batches')
    .where('id', 'in', (e) =>
      e
        .selectFrom('vat_check_batches as batch')
        .select('batch.id')
        .where('batch.id', '<', firstIdOf('vb', beforeMs))
        // A check that is pending longer than the retention keeps its batch, so that the batch can be read.
        .where((of) =>
          of.not(
            of.exists(
              of
                .selectFrom('vat_checks')
                .select('vat_checks.id')
                .whereRef('vat_checks.batch_id', '=', 'batch.id'),
            ),
          ),
        )
        .limit(portionBatches),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function deleteChosen(
  db: Db,
  { onDeleted, checksMax }: { readonly onDeleted: OnDeleted; readonly checksMax: number },
  choose: (tx: Tx) => Promise<readonly { readonly id: string }[]>,
): Promise<number> {
  let sum = 0;
  await inPortions(async () => {
    const deleted = await db.transaction().execute(async (tx) => {
      const ids = (await choose(tx)).map(({ id }) => id);
      await deleteByIds(tx, ids, onDeleted);
      return ids.length;
    });
    sum += deleted;
    // Not until a portion is not full: a batch that copied an answer before it was locked here is in the next one.
    return deleted > 0 && sum < checksMax;
  });
  return sum;
}

/** Deletes checks that the transaction has locked. */
async function deleteByIds(tx: Tx, ids: readonly string[], onDeleted: OnDeleted): Promise<void> {
  if (ids.length === 0) return;
  await onDeleted(tx, ids);
  await tx.deleteFrom('vat_check_exchanges').where('check_id', 'in', ids).execute();
  await tx.deleteFrom('vat_check_idempotency').where('check_id', 'in', ids).execute();
  await tx.deleteFrom('vat_checks').where('id', 'in', ids).execute();
}
