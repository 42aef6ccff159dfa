import { describe, expect, it } from 'vitest';
import { newCheck } from '../../../test/support/stored-checks.ts';
import { noon } from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../../platform/database/database.ts';
import { insertBatch } from './batch-store.ts';
import { countBatch } from './check-list.ts';
import { beginFileBatch, endFileBatch, type FileBatch, listBatch } from './file-batch.ts';
import { operatorId } from './owner.ts';

const nowMs = Date.parse(noon);
const hourMs = 3_600_000;
const checks = ['one', 'two'].map((reference) => ({
  ...newCheck({ keyId: operatorId, reference }),
  maxAgeSeconds: 0,
}));

async function begin(db: Db, digest: string, atMs = nowMs): Promise<FileBatch> {
  return beginFileBatch(db, { digest, checks }, atMs);
}

describe('beginFileBatch (rule K19)', () => {
  it('stores the checks of a file as a batch of the operator, in their order', async () => {
    const db = await openTemporaryDatabase();

    const batch = await begin(db, 'a');

    expect(batch).toMatchObject({ isContinued: false, createdAt: noon });
    expect(await countBatch(db, operatorId, batch.batchId)).toMatchObject({ count: 2, pending: 2 });
    const stored = await listBatch(db, batch.batchId);
    expect(stored.map(({ reference }) => reference)).toEqual(['one', 'two']);
  });

  it('continues the batch of the same file for 30 days, and that of no other file', async () => {
    const db = await openTemporaryDatabase();
    const { batchId } = await begin(db, 'a');

    expect(await begin(db, 'a', nowMs + 720 * hourMs)).toEqual({
      batchId,
      isContinued: true,
      createdAt: noon,
    });
    expect(await begin(db, 'b')).toMatchObject({ isContinued: false });
    expect(await begin(db, 'a', nowMs + 720 * hourMs + 1)).toMatchObject({ isContinued: false });
  });

  it('begins a new batch after the answers of the earlier one were written', async () => {
    const db = await openTemporaryDatabase();
    const { batchId } = await begin(db, 'a');
    await endFileBatch(db, batchId);

    const next = await begin(db, 'a');

    expect(next.isContinued).toBe(false);
    expect(await begin(db, 'a')).toEqual({ ...next, isContinued: true });
  });

  it('does not continue the batch of a key', async () => {
    const db = await openTemporaryDatabase();
    await db.transaction().execute(async (tx) => insertBatch(tx, 'key_a', checks, nowMs));
    await db.updateTable('vat_check_batches').set({ input_digest: 'a' }).execute();

    expect(await begin(db, 'a')).toMatchObject({ isContinued: false });
  });
});
