import { beforeEach, describe, expect, it } from 'vitest';
import { newCheck, storeBatch, storeChecks } from '../../../../test/support/stored-checks.ts';
import { noon, storeKey } from '../../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { CheckFilter } from './check-filter.ts';
import { countBatch, listAllChecks, listChecks } from './check-list.ts';
import { findAnyCheck, findCheck, firstIdOf } from '../check-store.ts';
import { deleteCheck, forgetNumber, type OnDeleted, pruneChecks } from '../delete-checks.ts';
import { operatorId } from '../owner.ts';

const nowMs = Date.parse(noon);
const dayMs = 86_400_000;
const idAt = (days: number, name: string): string =>
  `${firstIdOf('vc', nowMs - days * dayMs)}${name}`;

/** One check a day, the newest first in the alphabet. */
async function openWithChecks(): Promise<Db> {
  const db = await openTemporaryDatabase();
  await storeKey(db);
  await storeKey(db, { id: 'key_b' });
  await storeChecks(
    db,
    { id: idAt(0, 'a'), registry_code: 'AT', number: 'U1' },
    { id: idAt(1, 'b'), status: 'answered', valid: 0, reference: 'r' },
    { id: idAt(2, 'c'), status: 'answered', valid: 1, batch_id: 'vb_1' },
    { id: idAt(3, 'd'), status: 'rejected', refused: 'number', number: '2' },
    { id: idAt(4, 'e'), status: 'expired' },
    { id: idAt(0, 'x'), key_id: 'key_b', status: 'answered', valid: 1 },
  );
  const exchange = { url: '', request: '', response: '', requested_at: noon, answered_at: null };
  await db
    .insertInto('vat_check_exchanges')
    .values([
      { check_id: idAt(1, 'b'), ...exchange },
      { check_id: idAt(0, 'x'), ...exchange },
    ])
    .execute();
  return db;
}

const namesOf = (ids: readonly { readonly id: string }[]): string =>
  ids.map(({ id }) => id.at(-1)).join('');

async function storedNames(db: Db): Promise<string> {
  return namesOf(await db.selectFrom('vat_checks').select('id').orderBy('id', 'desc').execute());
}

describe('listChecks (rule K11)', () => {
  it.each<[string, CheckFilter, string]>([
    ['all of the key, newest first', {}, 'abcde'],
    ['those of a status', { status: 'answered' }, 'bc'],
    ['true answers', { valid: true }, 'c'],
    ['false answers', { valid: false }, 'b'],
    ['those of a country', { registryCode: 'AT' }, 'a'],
    ['those of a number', { numbers: [{ registryCode: 'DE', number: '2' }] }, 'd'],
    ['those of a reference', { reference: 'r' }, 'b'],
    ['those of a batch', { batchId: 'vb_1' }, 'c'],
    ['those since a moment, it included', { sinceMs: nowMs - 2 * dayMs }, 'abc'],
    ['those until a moment, it excluded', { untilMs: nowMs - 2 * dayMs }, 'de'],
    ['those of two filters', { status: 'answered', sinceMs: nowMs - dayMs }, 'b'],
  ])('lists %s', async (_, filter, expected) => {
    const db = await openWithChecks();

    const { checks } = await listChecks(db, 'key_a', filter, { limit: 100 });

    expect(namesOf(checks)).toBe(expected);
  });

  it('has pages, the last one without a cursor', async () => {
    const db = await openWithChecks();
    const pages: string[] = [];
    let cursor: string | undefined;
    do {
      const page = { limit: 2, ...(cursor === undefined ? {} : { cursor }) };
      const { checks, nextCursor } = await listChecks(db, 'key_a', {}, page);
      pages.push(namesOf(checks));
      cursor = nextCursor;
    } while (cursor !== undefined);

    expect(pages).toEqual(['ab', 'cd', 'e']);
  });
});

describe('listAllChecks and findAnyCheck (rule K19)', () => {
  it('list and find the checks of every key and of the operator', async () => {
    const db = await openWithChecks();
    await storeChecks(db, { id: idAt(0, 'o'), key_id: operatorId });
    const page = { limit: 100 };

    expect(namesOf((await listAllChecks(db, {}, page)).checks)).toBe('xoabcde');
    expect(namesOf((await listAllChecks(db, { keyId: 'key_b' }, page)).checks)).toBe('x');
    expect(namesOf((await listAllChecks(db, { valid: true }, page)).checks)).toBe('xc');
    expect(await findAnyCheck(db, idAt(0, 'o'))).toMatchObject({ keyId: operatorId });
    expect(await findAnyCheck(db, idAt(0, 'y'))).toBeUndefined();
  });
});

describe('countBatch (rule K12)', () => {
  it('counts the checks of a batch in each status, for its own key', async () => {
    const db = await openTemporaryDatabase();
    const check = { ...newCheck(), maxAgeSeconds: 0 };
    const { batchId: id } = await storeBatch(db, [check, check, check], nowMs);
    await storeChecks(db, { id: 'vc_9', batch_id: id, status: 'answered', valid: 1 });

    expect(await countBatch(db, 'key_a', id)).toEqual({
      batchId: id,
      count: 3,
      pending: 3,
      answered: 1,
      rejected: 0,
      expired: 0,
      createdAt: noon,
    });
    expect(await countBatch(db, 'key_b', id)).toBeUndefined();
  });
});

describe('deleting checks (rules K11 and K18)', () => {
  /** Ids of the checks whose events are deleted. */
  let ofEvents: string[] = [];
  const onDeleted: OnDeleted = async (_tx, ids) => void ofEvents.push(...ids);
  beforeEach(() => {
    ofEvents = [];
  });

  it('deletes one of the key with its evidence and its idempotency key', async () => {
    const db = await openWithChecks();
    const once = { key_id: 'key_a', idempotency_key: 'o', body_digest: '', created_at: noon };
    await db
      .insertInto('vat_check_idempotency')
      .values({ ...once, check_id: idAt(1, 'b') })
      .execute();

    expect(await deleteCheck(db, { keyId: 'key_b', id: idAt(1, 'b') }, onDeleted)).toBe(false);
    expect(await deleteCheck(db, { keyId: 'key_a', id: idAt(1, 'b') }, onDeleted)).toBe(true);

    expect(ofEvents).toEqual([idAt(1, 'b')]);
    expect(await findCheck(db, 'key_a', idAt(1, 'b'))).toBeUndefined();
    const left = await db.selectFrom('vat_check_exchanges').select('check_id').execute();
    expect(left).toEqual([{ check_id: idAt(0, 'x') }]);
    expect(await db.selectFrom('vat_check_idempotency').selectAll().execute()).toEqual([]);
    expect(await deleteCheck(db, { keyId: 'key_a', id: idAt(1, 'b') }, onDeleted)).toBe(false);
  });

  it('forgets a number of all keys and of the operator, and no other number', async () => {
    const db = await openWithChecks();
    await storeChecks(db, { id: idAt(0, 'o'), key_id: operatorId });

    const german = { registryCode: 'DE', number: '811115368' } as const;
    const on = { checksDeleted: onDeleted, watchesDeleted: async () => {} };

    expect(await forgetNumber(db, german, on)).toEqual({
      checks: 5,
      watches: 0,
    });

    expect(ofEvents).toHaveLength(5);
    expect(await storedNames(db)).toBe('ad');
    expect(await db.selectFrom('vat_check_exchanges').selectAll().execute()).toEqual([]);
  });

  it('prunes the ended checks and the batches from before a moment, in portions', async () => {
    const db = await openWithChecks();
    const many = Array.from({ length: 1_001 }, (_, n) => ({
      id: idAt(9, `_${n}z`),
      status: 'expired' as const,
    }));
    await storeChecks(db, ...many, { id: idAt(8, 'p') });
    await storeBatch(db, [], nowMs - 9 * dayMs);

    expect(await pruneChecks(db, nowMs - 2 * dayMs, onDeleted)).toBe(1_003);

    expect(new Set(ofEvents).size).toBe(1_003);
    // A pending check stays until it has ended.
    expect(await storedNames(db)).toBe('xabcp');
    expect(await db.selectFrom('vat_check_batches').selectAll().execute()).toEqual([]);
  });
});
