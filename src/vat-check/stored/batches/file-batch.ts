import type { Db } from '../../../platform/database/database.ts';
import { markCommit } from '../../../platform/database/marks.ts';
import type { BatchItem } from './batch.ts';
import { firstIdOf } from '../ids.ts';
import { type BatchCircumstances, prepareItems, storeBatch } from './create-batch.ts';
import { operatorId } from '../owner.ts';
import { type StoredCheck, toStoredCheck } from '../stored-check.ts';

/** A batch is continued for as long as a check may be pending (`expiresInHours`). */
const continuedForMs = 720 * 3_600_000;

/** The checks of a file, and a digest that no other file has. */
export type WantedFile = { readonly digest: string; readonly items: readonly BatchItem[] };

/** The batch of a file. */
export type FileBatch = {
  readonly batchId: string;
  /** Whether an earlier call of the command has stored it. */
  readonly isContinued: boolean;
  readonly createdAt: string;
};

/**
 * Finds the batch that an earlier call stored for the same file, or stores a new one of the operator.
 *
 * A batch is found until `endFileBatch`, so an interrupted or killed command continues it, also if a server has ended all
 * its checks meanwhile. After 30 days it is not: its answers would be too old to be taken for new ones.
 */
export async function beginFileBatch(
  db: Db,
  { digest, items }: WantedFile,
  at: BatchCircumstances,
): Promise<FileBatch> {
  const known = await findContinued(db, digest, at.nowMs);
  if (known !== undefined) return known;
  const prepared = await prepareItems(db, { keyId: operatorId, items }, at);
  return db.transaction().execute(async (tx) => {
    await markCommit(tx);
    const earlier = await findContinued(tx, digest, at.nowMs);
    if (earlier !== undefined) return earlier;
    const batchId = await storeBatch(tx, prepared, at);
    const { created_at: createdAt } = await tx
      .updateTable('vat_check_batches')
      .set({ input_digest: digest })
      .where('id', '=', batchId)
      .returning('created_at')
      .executeTakeFirstOrThrow();
    return { batchId, isContinued: false, createdAt };
  });
}

async function findContinued(
  db: Db,
  digest: string,
  nowMs: number,
): Promise<FileBatch | undefined> {
  const ofInput = { key_id: operatorId, input_digest: digest };
  const earlier = await db
    .selectFrom('vat_check_batches')
    .select(['id', 'created_at'])
    .where((e) => e.and(ofInput))
    .where('id', '>=', firstIdOf('vb', nowMs - continuedForMs))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (earlier === undefined) return undefined;
  return { batchId: earlier.id, isContinued: true, createdAt: earlier.created_at };
}

/** Notes that all answers of a batch are in its file: the same file is a new batch the next time. */
export async function endFileBatch(db: Db, batchId: string): Promise<void> {
  await db
    .updateTable('vat_check_batches')
    .set({ input_digest: null })
    .where('id', '=', batchId)
    .execute();
}

/** The checks of a batch, in the order in which it was created. */
export async function listBatch(db: Db, batchId: string): Promise<StoredCheck[]> {
  const rows = await db
    .selectFrom('vat_checks')
    .selectAll()
    .where('batch_id', '=', batchId)
    .orderBy('id')
    .execute();
  return rows.map(toStoredCheck);
}
