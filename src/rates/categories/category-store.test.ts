import { expect, it } from 'vitest';
import { categoryRow } from '../../../test/support/category-rows.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../../platform/database/database.ts';
import { isoDate } from '../../platform/time/time.ts';
import type { CountryCode } from '../member-states.ts';
import { insertBackfilled } from '../store.ts';
import { listCategoryChanges } from './category-change-log.ts';
import { type CategorySet, idsOf, toCategorySet } from './category-sets.ts';
import {
  findFirstWithCategories,
  findSnapshotCategories,
  insertSets,
  insertSnapshotCategories,
  listWithoutCategories,
  readCountryRows,
} from './category-store.ts';

const [first, second] = [isoDate('2026-11-19'), isoDate('2026-11-20')];
const comment = 'Österreich: „Bücher“ 🇦🇹\nnur gedruckt';
const row = (rate: string) =>
  categoryRow('BOOKS', { description: 'Books', rate, cnCodes: ['4901'], comment });
const austria = (rate: string): CategorySet => toCategorySet('AT' as CountryCode, [row(rate)]);
const belgium = toCategorySet('BE' as CountryCode, [row('6')]);

async function store(
  db: Db,
  version: typeof first,
  sets: readonly CategorySet[],
  comparedWith?: typeof first,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await insertSets(tx, sets);
    return insertSnapshotCategories(tx, { version, sets: idsOf(sets), comparedWith });
  });
}

it('the sets of a snapshot are read as they were stored, one for each content, and never change (rule G2)', async () => {
  const db = await openTemporaryDatabase();
  await store(db, first, [austria('10'), belgium]);
  await store(db, second, [austria('13'), belgium], first);
  expect(await store(db, second, [austria('10')])).toBe(false);

  const found = await findSnapshotCategories(db, second);

  expect(found).toMatchObject({ version: second, comparedWith: first });
  expect(await readCountryRows(db, found?.sets ?? {})).toEqual([
    { country: 'AT', rows: [row('13')] },
    { country: 'BE', rows: [row('6')] },
  ]);
  expect(await db.selectFrom('rate_category_sets').select('id').execute()).toHaveLength(3);
});

it('snapshots without sets have none, and are listed as missing them (rule G2)', async () => {
  const db = await openTemporaryDatabase();
  const snapshots = [first, second].map((version) => ({ version, body: '{}' }));
  await insertBackfilled(db, snapshots, { inputDigest: 'x', at: '2026-11-20T07:00:00.000Z' });
  expect(await findSnapshotCategories(db, first)).toBeUndefined();
  expect(await listCategoryChanges(db, first)).toBeUndefined();
  expect(await findFirstWithCategories(db)).toBeUndefined();

  await store(db, second, [belgium]);

  expect(await listWithoutCategories(db, { from: first, to: second })).toEqual([first]);
  expect(await findFirstWithCategories(db)).toBe(second);
});
