import { describe, expect, it } from 'vitest';
import { openTwice } from '../../../test/support/stored-keys.ts';
import { storeChecks } from '../../../test/support/stored-checks.ts';
import { noon } from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../../platform/database/database.ts';
import type { BatchItem } from './batch.ts';
import { createBatch, type WantedBatch } from './create-batch.ts';

const nowMs = Date.parse(noon);
const terms = {
  echo: { countryCode: 'DE', vatNumber: 'DE 811115368' },
  requester: undefined,
  trader: {},
  maxAgeSeconds: 0,
  expiresInHours: 72,
  reference: null,
};
const check: BatchItem = {
  ...terms,
  kind: 'check',
  vatNumber: { registryCode: 'DE', number: '811115368' },
  hint: 'prefix removed',
};
const rejected: BatchItem = { ...terms, kind: 'rejected' };
const fresh: BatchItem = { ...check, maxAgeSeconds: 60 };
const once = { idempotencyKey: 'upload 1', bodyDigest: 'a' };

function wantedOf(
  items: readonly BatchItem[],
  idempotency?: WantedBatch['idempotency'],
): WantedBatch {
  return { keyId: 'key_a', items, idempotency, chargeQueries: () => {} };
}

/** Creates a batch, and returns the statuses of the checks whose end had consequences as well. */
async function create(db: Db, wanted: WantedBatch) {
  const ended: string[] = [];
  const onEnded = async (_: unknown, { status }: { readonly status: string }) =>
    void ended.push(status);
  return { created: await createBatch(db, wanted, { nowMs, onEnded }), ended };
}

async function storeAnswered(db: Db): Promise<void> {
  const answer = { valid: 1, request_date: '2026-11-20+01:00', trader_match: '{}' } as const;
  await storeChecks(db, { id: 'vc_1', status: 'answered', ended_at: noon, ...answer });
}

describe('createBatch (rules K10 and K12)', () => {
  it('ends rejected and reused checks with all consequences, and leaves the others pending', async () => {
    const db = await openTemporaryDatabase();
    await storeAnswered(db);

    const { created, ended } = await create(db, wantedOf([check, rejected, fresh]));

    expect(created).toEqual({ kind: 'created', batchId: expect.stringMatching(/^vb_/) });
    expect(ended).toEqual(['rejected', 'answered']);
    const rows = await db
      .selectFrom('vat_checks')
      .select('status')
      .where('batch_id', 'is not', null)
      .orderBy('id')
      .execute();
    expect(rows.map(({ status }) => status)).toEqual(['pending', 'rejected', 'answered']);
  });

  it('stores nothing if a consequence cannot be written', async () => {
    const db = await openTemporaryDatabase();
    const onEnded = async () => Promise.reject(new Error('disk full'));

    await expect(
      createBatch(db, wantedOf([check, rejected], once), { nowMs, onEnded }),
    ).rejects.toThrow('disk full');

    for (const table of ['vat_checks', 'vat_check_batches', 'vat_check_idempotency'] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  it('charges the checks that a registry is queried for, once, and stores nothing if that is refused', async () => {
    const db = await openTemporaryDatabase();
    await storeAnswered(db);
    const charged: number[] = [];
    const charging = {
      ...wantedOf([check, check, rejected, fresh], once),
      chargeQueries: (count: number) => void charged.push(count),
    };
    const refusing = {
      ...wantedOf([check]),
      chargeQueries: () => {
        throw new Error('QUOTA_EXCEEDED');
      },
    };

    await create(db, charging);
    await create(db, charging);
    await create(db, { ...charging, items: [rejected, fresh], idempotency: undefined });
    await expect(create(db, refusing)).rejects.toThrow('QUOTA_EXCEEDED');

    expect(charged).toEqual([2]);
    expect(await db.selectFrom('vat_check_batches').select('id').execute()).toHaveLength(2);
  });

  it('returns the batch of an idempotency key to a repetition, and reports a different body', async () => {
    const [one, other] = await openTwice();
    const wanted = wantedOf([check, check], once);

    const results = await Promise.all([one, other, one].map(async (db) => create(db, wanted)));

    expect(new Set(results.map(({ created }) => JSON.stringify(created))).size).toBe(1);
    expect(await one.selectFrom('vat_check_batches').select('checks').execute()).toEqual([
      { checks: 2 },
    ]);
    const different = wantedOf([check], { ...once, bodyDigest: 'b' });
    expect((await create(one, different)).created).toEqual({ kind: 'conflict' });
  });
});
