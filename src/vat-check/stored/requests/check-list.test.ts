import { beforeEach, describe, expect, it } from 'vitest';
import { storeBatch, storeChecks } from '../../../../test/support/stored-checks.ts';
import { noon, storeKey } from '../../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import type { Db } from '../../../platform/database/database.ts';
import { listAllChecks } from './check-list.ts';
import { findAnyCheck, firstIdOf } from '../check-store.ts';
import { type OnDeleted, pruneChecks } from '../delete-checks.ts';
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

describe('deleting checks (rules K11 and K18)', () => {
  /** Ids of the checks whose events are deleted. */
  let ofEvents: string[] = [];
  const onDeleted: OnDeleted = async (_tx, ids) => void ofEvents.push(...ids);
  beforeEach(() => {
    ofEvents = [];
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
