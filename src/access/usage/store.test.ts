import { describe, expect, it } from 'vitest';
import { namesOf } from '../../../test/support/open-flusher.ts';
import { breakTable, openTwice, storedUse } from '../../../test/support/stored-keys.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../../platform/database/database.ts';
import { isoDate } from '../../platform/time/time.ts';
import { pruneUse, readMonthUse, readMonthUses, writeUse } from './store.ts';

/** `key_a 2026-11-20 3` */
const read = (line: string) => {
  const [keyId = '', useDate = '', requests] = line.split(' ');
  return { keyId, useDate: isoDate(useDate), requests: Number(requests) };
};

async function add(db: Db, ...lines: readonly string[]): Promise<void> {
  await writeUse(db, lines.map(read));
}

describe('writeUse (contract C26)', () => {
  it('adds the use of several processes that write at the same time', async () => {
    const [db, other] = await openTwice();
    const lines = namesOf(300).map((name) => `${name} 2026-11-20 1`);

    await Promise.all([add(db, ...lines), add(other, ...lines.toReversed()), add(db, ...lines)]);

    expect(await storedUse(db)).toEqual(namesOf(300).map((name) => `${name} 2026-11-20 3`));
  });

  it('writes all rows or none', async () => {
    const db = await openTemporaryDatabase();
    const lines = namesOf(600).map((name) => `${name} 2026-11-20 1`);
    const repair = await breakTable(db, "insert on key_use when new.key_id = 'key_300'");
    await expect(add(db, ...lines)).rejects.toThrow('disk full');
    expect(await storedUse(db)).toEqual([]);

    await repair();
    await add(db, ...lines);

    expect(await storedUse(db)).toEqual(lines);
  });
});

describe('the use of a month and of days (contract C26)', () => {
  it.each([
    ['2026-11-15', 110, { k: 110, other: 7 }],
    ['2026-11-01', 110, { k: 110, other: 7 }],
    ['2026-12-31', 1_000, { k: 1_000 }],
    ['2027-01-01', 10_000, { k: 10_000 }],
    ['2027-02-01', 0, {}],
  ])('is in the month of %s for one key %d', async (date, one, all) => {
    const db = await openTemporaryDatabase();
    await add(db, 'k 2026-10-31 1', 'k 2026-11-01 10', 'k 2026-11-30 100', 'k 2026-12-01 1000');
    await add(db, 'k 2027-01-01 10000', 'k 2025-11-15 100000', 'other 2026-11-15 7');

    expect(await readMonthUse(db, 'k', isoDate(date))).toBe(one);
    expect(Object.fromEntries(await readMonthUses(db, isoDate(date)))).toEqual(all);
  });

  it('is kept for 400 days, and removed 250 rows at a time', async () => {
    const db = await openTemporaryDatabase();
    const today = isoDate('2026-11-20');
    const kept = ['k 2025-10-17 1', 'k 2026-11-20 1', 'k 2026-11-21 1'];
    await add(db, 'k 2025-10-16 1', ...kept, ...namesOf(299).map((name) => `${name} 2020-01-01 1`));

    const removed = [await pruneUse(db, today), await pruneUse(db, today)];

    expect(removed).toEqual([250, 50]);
    expect(await storedUse(db)).toEqual(kept);
  });
});
