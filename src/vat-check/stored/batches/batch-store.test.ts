import { describe, expect, it } from 'vitest';
import { newCheck, storeBatch, storeChecks } from '../../../../test/support/stored-checks.ts';
import { noon } from '../../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import type { BatchedCheck } from './batch-store.ts';

const nowMs = Date.parse(noon);
const hourBefore = '2026-11-20T11:00:00.000Z';
const plain: BatchedCheck = { ...newCheck(), maxAgeSeconds: 0 };
const fresh: BatchedCheck = { ...plain, maxAgeSeconds: 3_600 };
const impossible: BatchedCheck = {
  ...plain,
  countryCode: 'de',
  vatNumber: '1',
  queried: undefined,
};

async function insert(db: Db, ...wanted: readonly BatchedCheck[]) {
  return storeBatch(db, wanted, nowMs);
}

/** A check that was answered an hour ago, with its exchange. */
async function storeAnswered(db: Db, own: Partial<Tables['vat_checks']> = {}): Promise<void> {
  const answer = { valid: 0, request_date: '2026-11-20+01:00', trader_match: '{}' } as const;
  const ended = { status: 'answered', ended_at: hourBefore, due_at: null } as const;
  const all = { ...ended, ...answer, attempts: 3, next_attempt_at: null, ...own };
  await storeChecks(db, { id: 'vc_1', ...all });
  const bytes = { url: 'https://vies.example/', request: 'PGE+', response: 'PGI+' };
  const moments = { requested_at: hourBefore, answered_at: hourBefore };
  const signed = { manifest: '{}', signature: 'AA==', evidence_key_id: 'key' };
  await db
    .insertInto('vat_check_exchanges')
    .values({ check_id: 'vc_1', ...bytes, ...moments, ...signed })
    .execute();
}

describe('a stored batch (rule K12)', () => {
  it('stores 1,000 checks in their order, pending and due now', async () => {
    const db = await openTemporaryDatabase();
    const wanted = Array.from({ length: 1_000 }, (_, n) => ({ ...plain, reference: String(n) }));

    const { batchId, checks } = await insert(db, ...wanted);

    const rows = await db.selectFrom('vat_checks').selectAll().orderBy('id').execute();
    expect(rows.map((row) => row.reference)).toEqual(wanted.map(({ reference }) => reference));
    expect(rows.every((row) => row.batch_id === batchId && row.due_at === noon)).toBe(true);
    expect(checks.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  it('stores a number that no registry can be queried for as rejected, and the others beside it', async () => {
    const db = await openTemporaryDatabase();

    const { checks } = await insert(
      db,
      impossible,
      { ...impossible, countryCode: 'Deutschland' },
      plain,
    );

    expect(checks.map(({ status, refused }) => [status, refused])).toEqual([
      ['rejected', 'number'],
      ['rejected', 'number'],
      ['pending', null],
    ]);
    const rows = await db.selectFrom('vat_checks').selectAll().orderBy('id').execute();
    const nothing = { number: null, due_at: null, next_attempt_at: null, valid: null, attempts: 0 };
    expect(rows[0]).toMatchObject({ ...nothing, registry_code: 'DE', ended_at: noon });
    expect(rows[1]).toMatchObject({ ...nothing, registry_code: null, country_code: 'Deutschland' });
  });

  it('answers a check that may reuse an answer, with a copy of its exchange that is not signed yet', async () => {
    const db = await openTemporaryDatabase();
    await storeAnswered(db);

    const { checks } = await insert(db, { ...fresh, vatNumber: '811115368' });

    expect(checks).toMatchObject([
      {
        status: 'answered',
        vatNumber: '811115368',
        attempts: 0,
        endedAt: hourBefore,
        createdAt: noon,
        nextAttemptAt: null,
        answer: { valid: false, requestDate: '2026-11-20+01:00' },
      },
    ]);
    const exchanges = db.selectFrom('vat_check_exchanges').selectAll();
    const [copy] = await exchanges.where('check_id', '=', checks[0]!.id).execute();
    expect(copy).toEqual({
      check_id: checks[0]!.id,
      url: 'https://vies.example/',
      request: 'PGE+',
      response: 'PGI+',
      requested_at: hourBefore,
      answered_at: hourBefore,
      manifest: null,
      signature: null,
      evidence_key_id: null,
    });
  });

  it('has a hint if the answer that it reuses has no consultation number for its requester', async () => {
    const db = await openTemporaryDatabase();
    await storeAnswered(db, { requester_code: 'NL', requester_number: '1' });

    const { checks } = await insert(db, {
      ...fresh,
      requester: { registryCode: 'NL', number: '1' },
    });

    expect(checks).toMatchObject([
      { status: 'answered', hint: expect.stringContaining('no consultation number') },
    ]);
  });

  it.each<[string, BatchedCheck]>([
    ['too old', { ...fresh, maxAgeSeconds: 3_599 }],
    ['not wanted', plain],
    ['of another requester', { ...fresh, requester: { registryCode: 'NL', number: '1' } }],
    ['of another key', { ...fresh, keyId: 'key_b' }],
  ])('does not reuse an answer that is %s', async (_, check) => {
    const db = await openTemporaryDatabase();
    await storeAnswered(db);

    const { checks } = await insert(db, check);

    expect(checks.map(({ status }) => status)).toEqual(['pending']);
  });
});
