import { describe, expect, it } from 'vitest';
import { categoryRow } from '../../../test/support/category-rows.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../../platform/database/database.ts';
import { isoDate } from '../../platform/time.ts';
import type { CountryCode } from '../member-states.ts';
import { insertBackfilled } from '../store.ts';
import { listCategoryChanges } from './category-change-log.ts';
import type { CategoryRow } from './category-row.ts';
import { type CategorySet, idsOf, toCategorySet } from './category-sets.ts';
import {
  findFirstWithCategories,
  findSnapshotCategories,
  insertSets,
  insertSnapshotCategories,
  listWithoutCategories,
  readCountryRows,
} from './category-store.ts';

const first = isoDate('2026-11-19');
const second = isoDate('2026-11-20');

function row(rate: string, more: Partial<CategoryRow> = {}): CategoryRow {
  const comment = 'Österreich: „Bücher“ 🇦🇹\nnur gedruckt';
  const own = { description: 'Books', rate, cnCodes: ['4901'], comment };
  return categoryRow('BOOKS', { ...own, ...more });
}

const austria = (...rows: readonly CategoryRow[]): CategorySet =>
  toCategorySet('AT' as CountryCode, rows);
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

describe('the sets of a snapshot (rule G2)', () => {
  it('are read as they were stored, one set for each content', async () => {
    const db = await openTemporaryDatabase();
    await store(db, first, [austria(row('10')), belgium]);
    await store(db, second, [austria(row('13')), belgium], first);

    const found = await findSnapshotCategories(db, second);

    expect(found).toMatchObject({ version: second, comparedWith: first });
    expect(await readCountryRows(db, found?.sets ?? {})).toEqual([
      { country: 'AT', rows: [row('13')] },
      { country: 'BE', rows: [row('6')] },
    ]);
    const sets = await db.selectFrom('rate_category_sets').select('id').execute();
    expect(sets).toHaveLength(3);
  });

  it('never change once they are stored', async () => {
    const db = await openTemporaryDatabase();
    await store(db, first, [belgium]);

    expect(await store(db, first, [austria(row('10'))])).toBe(false);
    expect((await findSnapshotCategories(db, first))?.sets).toEqual(idsOf([belgium]));
  });

  it('are missing for a date without them', async () => {
    const db = await openTemporaryDatabase();

    expect(await findSnapshotCategories(db, first)).toBeUndefined();
    expect(await listCategoryChanges(db, first)).toBeUndefined();
    expect(await findFirstWithCategories(db)).toBeUndefined();
  });

  it('are listed as missing for snapshots without them', async () => {
    const db = await openTemporaryDatabase();
    const snapshots = [first, second].map((version) => ({ version, body: '{}' }));
    await insertBackfilled(db, snapshots, { inputDigest: 'x', at: '2026-11-20T07:00:00.000Z' });
    await store(db, second, [belgium]);

    expect(await listWithoutCategories(db, { from: first, to: second })).toEqual([first]);
    expect(await listWithoutCategories(db, { from: second, to: second })).toEqual([]);
    expect(await findFirstWithCategories(db)).toBe(second);
  });
});

describe('the changes of a snapshot (rule G9)', () => {
  it('are those against the snapshot that it was compared with', async () => {
    const db = await openTemporaryDatabase();
    await store(db, first, [austria(row('10')), belgium]);
    await store(db, second, [austria(row('13'))], first);

    expect(await listCategoryChanges(db, first)).toEqual([]);
    expect(await listCategoryChanges(db, second)).toEqual([
      { country: 'AT', category: 'BOOKS', before: [row('10')], after: [row('13')] },
      { country: 'BE', category: 'BOOKS', before: [row('6')], after: [] },
    ]);
  });
});
