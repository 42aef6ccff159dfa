import { describe, expect, it } from 'vitest';
import { openFirstDatabase } from '../../../../test/support/first-database.ts';
import { explainAccess } from '../../../../test/support/query-plan.ts';
import type { Db } from '../database.ts';
import { migrate } from '../migrations.ts';

const row = (snapshot_date: string, detected_at: string) => {
  const id = `rc_${snapshot_date}`;
  return { id, snapshot_date, country: 'HU', field: 'standard', old: '27', new: null, detected_at };
};
/** Rows in the order of their ids. The second was detected before its snapshot date. */
const rows = [
  row('2026-11-18', '2026-11-18T07:00:00.000Z'),
  row('2026-11-19', '2026-11-18T07:00:00.000Z'),
  row('2026-11-20', '2026-11-22T09:00:00.000Z'),
];

/** Opens a database of version 0.1 with a change log. */
async function openWithChanges(): Promise<Db> {
  const db = await openFirstDatabase();
  await db.insertInto('rate_changes').values(rows).execute();
  return db;
}

describe('0005-change-log-order', () => {
  it('keeps the change log as it was', async () => {
    const db = await openWithChanges();

    expect(await migrate(db)).toContain('0005-change-log-order');

    expect(await db.selectFrom('rate_changes').selectAll().orderBy('id').execute()).toEqual(rows);
  });

  it('still refuses a second row of one field', async () => {
    const db = await openWithChanges();
    await migrate(db);

    const again = db.insertInto('rate_changes').values({ ...rows[0], id: 'rc_again' } as never);

    await expect(again.execute()).rejects.toThrow(/unique constraint/i);
  });

  it('leaves the change log as it was if it fails halfway', async () => {
    const db = await openWithChanges();
    await db.schema.createTable('rate_changes_early').addColumn('in_the_way', 'text').execute();

    await expect(migrate(db)).rejects.toThrow('the migration failed; nothing was changed');

    expect(await db.selectFrom('rate_changes').selectAll().orderBy('id').execute()).toEqual(rows);
    const order = 'detected_at desc, country, field';
    const found = await explainAccess(db, `rate_changes where detected_at < '3' order by ${order}`);
    expect(found).toBe('by index');
  });
});
