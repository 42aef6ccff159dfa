import { describe, expect, it } from 'vitest';
import { openTwice, storedUse } from '../../../test/support/stored-keys.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../../platform/database/database.ts';
import { addEarlierJournal } from './earlier-journal.ts';

/** Writes a row of the journal as version 0.1 does. */
async function journal(db: Db, id: string, ...uses: readonly [string, string, number][]) {
  await db
    .insertInto('key_use_journal')
    .values({ id, uses: JSON.stringify(uses) })
    .execute();
}

async function journalRows(db: Db): Promise<number> {
  return (await db.selectFrom('key_use_journal').selectAll().execute()).length;
}

describe('addEarlierJournal', () => {
  it('adds the journal of an earlier version to the days of its keys, once', async () => {
    const db = await openTemporaryDatabase();
    const row = { key_id: 'key_a', use_date: '2026-11-20', requests: 3 };
    await db.insertInto('key_use').values(row).execute();
    await journal(db, '1', ['key_a', '2026-11-20', 4], ['key_a', '2026-11-21', 5]);
    await journal(db, '2', ['key_a', '2026-11-20', 10], ['key_b', '2026-11-20', 20]);

    await addEarlierJournal(db);
    await addEarlierJournal(db);

    expect(await storedUse(db)).toEqual([
      'key_a 2026-11-20 17',
      'key_a 2026-11-21 5',
      'key_b 2026-11-20 20',
    ]);
    expect(await journalRows(db)).toBe(0);
  });

  it('adds each row once if two processes start at the same time', async () => {
    const [db, other] = await openTwice();
    await journal(db, '1', ['key_a', '2026-11-20', 4]);

    await Promise.all([addEarlierJournal(db), addEarlierJournal(other)]);

    expect(await storedUse(db)).toEqual(['key_a 2026-11-20 4']);
  });
});
