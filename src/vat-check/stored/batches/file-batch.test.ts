import { describe, expect, it } from 'vitest';
import { reuseUnsigned } from '../../../../test/support/stored-checks.ts';
import { noon } from '../../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { BatchItem } from './batch.ts';
import { countBatch } from '../requests/check-list.ts';
import { createBatch } from './create-batch.ts';
import { beginFileBatch, endFileBatch, type FileBatch, listBatch } from './file-batch.ts';
import { operatorId } from '../owner.ts';

const nowMs = Date.parse(noon);
const hourMs = 3_600_000;
const items: readonly BatchItem[] = ['one', 'two'].map((reference) => ({
  kind: 'check',
  echo: { countryCode: 'DE', vatNumber: 'DE 811115368' },
  vatNumber: { registryCode: 'DE', number: '811115368' },
  hint: null,
  requester: undefined,
  trader: {},
  maxAgeSeconds: 0,
  expiresInHours: 72,
  reference,
}));
/** A number that no registry can be queried for. */
const rejected: BatchItem = {
  ...items[0]!,
  kind: 'rejected',
  echo: { countryCode: 'GB', vatNumber: '1' },
};

async function begin(db: Db, digest: string, atMs = nowMs): Promise<FileBatch> {
  return beginFileBatch(db, { digest, items }, { nowMs: atMs, onReused: reuseUnsigned });
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

  it('stores numbers that no registry can be queried for as rejected', async () => {
    const db = await openTemporaryDatabase();
    const at = { nowMs, onReused: reuseUnsigned };

    const { batchId } = await beginFileBatch(db, { digest: 'a', items: [rejected, ...items] }, at);

    const [first] = await listBatch(db, batchId);
    expect(first).toMatchObject({ status: 'rejected', countryCode: 'GB' });
  });

  it('does not continue the batch of a key', async () => {
    const db = await openTemporaryDatabase();
    const wanted = { keyId: 'key_a', items, idempotency: undefined };
    await createBatch(db, wanted, { nowMs, onReused: reuseUnsigned });
    await db.updateTable('vat_check_batches').set({ input_digest: 'a' }).execute();

    expect(await begin(db, 'a')).toMatchObject({ isContinued: false });
  });
});
