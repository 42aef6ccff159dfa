import { describe, expect, it } from 'vitest';
import { openTwice } from '../../../../test/support/stored-keys.ts';
import { untilBlocking } from '../../../../test/support/blocked-processes.ts';
import { reuseUnsigned, storeChecks } from '../../../../test/support/stored-checks.ts';
import { noon, storeKey } from '../../../../test/support/stored-webhooks.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
} from '../../../../test/support/temporary-database.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { BatchItem } from './batch.ts';
import { createBatch, type WantedBatch } from './create-batch.ts';
import { OpenCharges } from '../open-charges.ts';
import { deleteCheck, forgetNumber } from '../delete-checks.ts';
import type { OnReused } from '../on-ended.ts';

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
const fresh: BatchItem = { ...check, maxAgeSeconds: 60 };
const charges = new OpenCharges();
const once = { idempotencyKey: 'upload 1', bodyDigest: 'a' };

function wantedOf(
  items: readonly BatchItem[],
  idempotency?: WantedBatch['idempotency'],
): WantedBatch {
  return { keyId: 'key_a', items, idempotency, chargeQueries: () => {} };
}

async function storeAnswered(db: Db): Promise<void> {
  const answer = { valid: 1, request_date: '2026-11-20+01:00', trader_match: '{}' } as const;
  await storeChecks(db, { id: 'vc_1', status: 'answered', ended_at: noon, ...answer });
  const bytes = { url: 'https://vies.example/', request: 'PGE+', response: 'PGI+' };
  await db
    .insertInto('vat_check_exchanges')
    .values({ check_id: 'vc_1', ...bytes, requested_at: noon, answered_at: noon })
    .execute();
}

describe('createBatch (rules K10 and K12)', () => {
  it('stores nothing if a consequence cannot be written', async () => {
    const db = await openTemporaryDatabase();
    await storeAnswered(db);
    const announce = async () => Promise.reject(new Error('disk full'));
    const at = { nowMs, onReused: { ...reuseUnsigned, announce }, charges };

    await expect(createBatch(db, wantedOf([check, fresh], once), at)).rejects.toThrow('disk full');

    expect(await db.selectFrom('vat_checks').select('id').execute()).toEqual([{ id: 'vc_1' }]);
    for (const table of ['vat_check_batches', 'vat_check_idempotency'] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  it('asks again instead of storing an answer that is deleted before the batch is stored', async () => {
    const db = await openTemporaryDatabase();
    await storeAnswered(db);
    const charged: number[] = [];
    const chargeQueries = (count: number) => void charged.push(count);
    const sign: OnReused['sign'] = async (...reuses) => {
      await deleteCheck(db, { keyId: 'key_a', id: 'vc_1' }, async () => {});
      return reuseUnsigned.sign(...reuses);
    };

    const wanted = { ...wantedOf([fresh]), chargeQueries };
    await createBatch(db, wanted, { nowMs, onReused: { ...reuseUnsigned, sign }, charges });

    const rows = await db.selectFrom('vat_checks').select(['status', 'valid']).execute();
    expect([rows, charged]).toEqual([[{ status: 'pending', valid: null }], [1]]);
    expect(await db.selectFrom('vat_check_exchanges').selectAll().execute()).toEqual([]);
  });

  it('leaves no answer of a number that is forgotten at the same time', async () => {
    const [one, other] = await openTwice();
    await storeKey(one);
    await storeAnswered(one);
    let forgotten: Promise<unknown> = Promise.resolve();
    const announce: OnReused['announce'] = async (tx) => {
      forgotten = forgetNumber(
        other,
        { registryCode: 'DE', number: '811115368' },
        { checksDeleted: async () => {}, watchesDeleted: async () => {} },
      );
      // SQLite has one writer at a time.
      if (isPostgresql) await untilBlocking(tx);
    };

    await createBatch(one, wantedOf([fresh]), {
      nowMs,
      onReused: { ...reuseUnsigned, announce },
      charges,
    });
    await forgotten;

    expect(await one.selectFrom('vat_checks').selectAll().execute()).toEqual([]);
  });
});
