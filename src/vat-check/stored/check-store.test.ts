import { describe, expect, it } from 'vitest';
import { untilBlocking } from '../../../test/support/blocked-processes.ts';
import { newCheck, storeChecks } from '../../../test/support/stored-checks.ts';
import { openTwice } from '../../../test/support/stored-keys.ts';
import { noon } from '../../../test/support/stored-webhooks.ts';
import { isPostgresql, openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../../platform/database/database.ts';
import { readCheckRequest, noDefaults } from './requests/check-request.ts';
import { findReusable, insertChecks, type NewCheck } from './check-store.ts';
import { createCheck } from './create-check.ts';
import { OpenCharges } from './open-charges.ts';
import { deleteCheck } from './delete-checks.ts';
import { createOnce, type Idempotent, pruneIdempotencyKeys } from './idempotency.ts';

const nowMs = Date.parse(noon);
const dayMs = 86_400_000;
const requester = { registryCode: 'NL', number: '854265259B01' } as const;

describe('findReusable (maxAgeSeconds of rule K4)', () => {
  const find = async (db: Db, check: NewCheck, oldestMs: number) =>
    (await findReusable(db, check.keyId, [{ ...check, oldestMs }]))[0];
  const answered = { status: 'answered', valid: 1, next_attempt_at: null, due_at: null } as const;
  const ended = { ...answered, ended_at: noon, request_date: '2026-11-20+01:00' };
  const sent = { requester, trader: { name: 'A', city: 'B' } };
  const asStored = {
    requester_code: 'NL',
    requester_number: '854265259B01',
    trader: '{"name":"A","city":"B"}',
  };

  it('finds the newest answer, also if the fields of the trader are in another order', async () => {
    const db = await openTemporaryDatabase();
    const earlier = { ...asStored, ...ended, ended_at: '2026-11-20T11:00:00.000Z' };
    await storeChecks(
      db,
      { id: 'vc_2', ...earlier },
      { id: 'vc_1', ...asStored, ...ended },
      { id: 'vc_3', ...asStored },
    );
    const wanted = newCheck({ ...sent, trader: { city: 'B', name: 'A' } });

    expect((await find(db, wanted, nowMs))?.id).toBe('vc_1');
    expect(await find(db, wanted, nowMs + 1)).toBeUndefined();
  });

  it.each<[string, Partial<NewCheck>]>([
    ['key', { keyId: 'key_b' }],
    ['number', { queried: { registryCode: 'DE', number: '811115369' } }],
    ['Member State', { queried: { registryCode: 'AT', number: '811115368' } }],
    ['requester', { requester: { registryCode: 'NL', number: '854265259B02' } }],
    ['requester, which is missing', { requester: undefined }],
    ['trader', { trader: { name: 'A' } }],
  ])('never finds one of another %s', async (_, own) => {
    const db = await openTemporaryDatabase();
    await storeChecks(db, { id: 'vc_1', ...asStored, ...ended });

    expect(await find(db, newCheck(sent), 0)).toBeDefined();
    expect(await find(db, newCheck({ ...sent, ...own }), 0)).toBeUndefined();
  });

  it('finds a check without requester and trader only for the same', async () => {
    const db = await openTemporaryDatabase();
    await storeChecks(db, { id: 'vc_1', ...ended });

    expect((await find(db, newCheck(), 0))?.id).toBe('vc_1');
    expect(await find(db, newCheck({ requester }), 0)).toBeUndefined();
  });

  it('never returns a check that is being deleted, so its idempotency key can be repeated', async () => {
    const [one, other] = await openTwice();
    await storeChecks(one, { id: 'vc_1', ...ended });
    const request = readCheckRequest(
      { countryCode: 'DE', vatNumber: '811115368', maxAgeSeconds: 60 },
      noDefaults,
    );
    if (request.kind !== 'request') throw new Error('a requester is not allowed');
    const create = async () =>
      createCheck(
        other,
        {
          keyId: 'key_a',
          request: request.request,
          idempotency: { idempotencyKey: 'order 1', bodyDigest: 'a' },
        },
        { nowMs, claim: undefined, charges: new OpenCharges() },
      );
    let creating: ReturnType<typeof create> | undefined;
    await deleteCheck(one, { keyId: 'key_a', id: 'vc_1' }, async (tx) => {
      creating = create();
      // SQLite has one writer at a time.
      if (isPostgresql) await untilBlocking(tx);
    });

    expect((await creating)?.kind).toBe('created');
    expect((await create()).kind).toBe('reused');
  });
});

describe('createOnce (Idempotency-Key, rule K4)', () => {
  const key = { keyId: 'key_a', idempotencyKey: 'order 1', bodyDigest: 'a' };
  const create = async (db: Db, own: Partial<typeof key> = {}, at = nowMs): Promise<Idempotent> =>
    db.transaction().execute(async (tx) =>
      createOnce(tx, { ...key, ...own }, { nowMs: at }, async () => {
        const [check] = await insertChecks(tx, [newCheck()], { nowMs: at });
        return check!;
      }),
    );

  it('forgets the key after 24 hours', async () => {
    const db = await openTemporaryDatabase();
    const others = Array.from({ length: 501 }, (_, n) => ({
      key_id: 'key_b',
      idempotency_key: `order ${n}`,
      body_digest: 'a',
      check_id: 'vc_1',
      created_at: noon,
    }));
    await db.insertInto('vat_check_idempotency').values(others).execute();
    await create(db);

    expect((await create(db, {}, nowMs + dayMs - 1)).kind).toBe('repeated');
    expect((await create(db, { bodyDigest: 'b' }, nowMs + dayMs)).kind).toBe('created');
    expect((await create(db, {}, nowMs + dayMs + 1)).kind).toBe('conflict');
    await pruneIdempotencyKeys(db, nowMs + 2 * dayMs);
    expect(await db.selectFrom('vat_check_idempotency').selectAll().execute()).toEqual([]);
  });
});
