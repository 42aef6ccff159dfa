import { describe, expect, it } from 'vitest';
import { openTwice } from '../../../../test/support/stored-keys.ts';
import { untilBlocking } from '../../../../test/support/blocked-processes.ts';
import { statementsOf } from '../../../../test/support/query-plan.ts';
import { reuseUnsigned, storeChecks } from '../../../../test/support/stored-checks.ts';
import { noon, storeKey } from '../../../../test/support/stored-webhooks.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
} from '../../../../test/support/temporary-database.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { BatchItem } from './batch.ts';
import { createBatch, type WantedBatch } from './create-batch.ts';
import { deleteCheck, forgetNumber } from '../delete-checks.ts';
import type { OnReused } from '../on-ended.ts';
import type { StoredCheck } from '../stored-check.ts';

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

/** Creates a batch, and returns the checks with an event as well. */
async function create(db: Db, wanted: WantedBatch) {
  const announced: StoredCheck[] = [];
  const announce: OnReused['announce'] = async (_, checks) => void announced.push(...checks);
  const onReused = { ...reuseUnsigned, announce };
  return { created: await createBatch(db, wanted, { nowMs, onReused }), announced };
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
  it('ends rejected and reused checks, announces the reused ones, and leaves the others pending', async () => {
    const db = await openTemporaryDatabase();
    await storeAnswered(db);

    const { created, announced } = await create(db, wantedOf([check, rejected, fresh]));

    expect(created).toEqual({ kind: 'created', batchId: expect.stringMatching(/^vb_/) });
    const rows = await db
      .selectFrom('vat_checks')
      .select(['id', 'status'])
      .where('batch_id', 'is not', null)
      .orderBy('id')
      .execute();
    expect(rows.map(({ status }) => status)).toEqual(['pending', 'rejected', 'answered']);
    expect(announced.map(({ id, status }) => [id, status])).toEqual([[rows[2]?.id, 'answered']]);
  });

  it('stores nothing if a consequence cannot be written', async () => {
    const db = await openTemporaryDatabase();
    await storeAnswered(db);
    const announce = async () => Promise.reject(new Error('disk full'));
    const at = { nowMs, onReused: { ...reuseUnsigned, announce } };

    await expect(createBatch(db, wantedOf([check, fresh], once), at)).rejects.toThrow('disk full');

    expect(await db.selectFrom('vat_checks').select('id').execute()).toEqual([{ id: 'vc_1' }]);
    for (const table of ['vat_check_batches', 'vat_check_idempotency'] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  it('stores 1,000 checks of one number with few statements, and one look-up of the answer', async () => {
    const db = await openTemporaryDatabase();
    await storeAnswered(db);
    const wanted = wantedOf(Array.from({ length: 1_000 }, (): BatchItem => fresh));

    const statements = await statementsOf(db, async (watched) => create(watched, wanted));

    const lookUps = statements.filter(({ sql }) => sql.includes('order by found.ended_at'));
    expect(lookUps.map(({ parameters }) => parameters.length)).toEqual([8]);
    expect(statements.length).toBeLessThan(40);
    const reused = db.selectFrom('vat_checks').where('status', '=', 'answered');
    expect(await reused.select('id').execute()).toHaveLength(1_001);
    const copies = await db.selectFrom('vat_check_exchanges').select('check_id').execute();
    expect(copies).toHaveLength(1_001);
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
    await createBatch(db, wanted, { nowMs, onReused: { ...reuseUnsigned, sign } });

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

    await createBatch(one, wantedOf([fresh]), { nowMs, onReused: { ...reuseUnsigned, announce } });
    await forgotten;

    expect(await one.selectFrom('vat_checks').selectAll().execute()).toEqual([]);
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
