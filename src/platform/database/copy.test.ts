import { sql } from 'kysely';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  openTemporaryDatabase,
  temporaryFolder,
} from '../../../test/support/temporary-database.ts';
import { compareRows, copyRows, primaryKeys } from './copy.ts';
import { type Db, openDatabase } from './database.ts';
import { making } from '../../../test/support/making.ts';

const ignore = (): void => {};

async function openEmbedded(): Promise<Db> {
  const db = await openDatabase(`file:${join(temporaryFolder(), 'vatfx.db')}`, making);
  onTestFinished(async () => db.destroy());
  return db;
}

/** An embedded database, and one to copy to, on the engine of this project. */
async function openBoth(): Promise<{ readonly from: Db; readonly to: Db }> {
  return { from: await openEmbedded(), to: await openTemporaryDatabase() };
}

const entry = (id: string, detail = '') => ({ id, at: '', action: '', subject: '', detail });

async function copy(
  { from, to }: { readonly from: Db; readonly to: Db },
  onPortion: (rows: number) => void = ignore,
) {
  return from.transaction().execute(async (tx) => {
    return to.transaction().execute(async (copyTx) => copyRows(tx, copyTx, onPortion));
  });
}

/** Copies, changes the copy, and compares. */
async function compareAfter(both: { readonly from: Db; readonly to: Db }, change: Change) {
  const sums = await copy(both);
  await change(both.to).execute();
  return both.to.transaction().execute(async (tx) => compareRows(tx, sums, ignore));
}

type Change = (db: Db) => { execute(): Promise<unknown> };

describe('primaryKeys', () => {
  it('has the primary key of every table that is copied, and undefined for eight that are not', async () => {
    const db = await openEmbedded();
    const tables = await db.introspection.getTables();
    const found = await Promise.all(
      tables.map(async ({ name }) => {
        const { rows } = await sql<{ name: string }>`
          select name from pragma_table_info(${name}) where pk > 0 order by pk`.execute(db);
        return [name, rows.map((row) => row.name)] as const;
      }),
    );

    const left = Object.keys(primaryKeys).filter(
      (table) => primaryKeys[table as keyof typeof primaryKeys] === undefined,
    );
    expect(left).toEqual([
      'leases',
      'revisions',
      'fx_columns',
      'replicas',
      'commit_marks',
      'secret_key_in_use',
      'event_log',
      'deleted_events',
      'webhook_replays',
    ]);
    const copied = found.filter(([name]) => !left.includes(name));
    expect(Object.fromEntries(copied)).toEqual(
      Object.fromEntries(Object.entries(primaryKeys).filter(([, key]) => key !== undefined)),
    );
    expect(found.map(([name]) => name)).toEqual(expect.arrayContaining(left));
  });
});

describe('copyRows and compareRows', () => {
  it('copy every row once, also if a table has more rows than a portion', async () => {
    const both = await openBoth();
    // The first column of the key has the same value in several portions.
    const rows = Array.from({ length: 1_001 }, (_, n) => ({
      key_id: `${n % 2 === 0 ? 'k' : 'K'}_${n}`,
      use_date: n < 900 ? '2026-01-01' : '2026-01-02',
      requests: n,
    }));
    await both.from.insertInto('key_use').values(rows).execute();
    let told = 0;

    const sums = await copy(both, (count: number) => void (told += count));

    const copied = await both.to.selectFrom('key_use').selectAll().orderBy('requests').execute();
    expect(copied).toEqual(rows);
    expect(told).toBe(1_001);
    expect(sums).toMatchObject({ key_use: { rows: 1_001 }, audit: { rows: 0 } });
    await both.to.transaction().execute(async (tx) => compareRows(tx, sums, ignore));
  });

  it.each<readonly [what: string, change: Change, sentence: string]>([
    [
      'another text',
      (db) => db.updateTable('audit').set({ detail: 'X' }).where('id', '=', 'b'),
      'the rows of audit are not the same in the copy',
    ],
    [
      'an empty text for null',
      (db) => db.updateTable('audit').set({ actor: '' }).where('id', '=', 'b'),
      'the rows of audit are not the same in the copy',
    ],
    [
      'a row less',
      (db) => db.deleteFrom('audit').where('id', '=', 'b'),
      'audit has 2 rows, and 1 in the copy',
    ],
    [
      'a row more',
      (db) => db.insertInto('audit').values(entry('c')),
      'audit has 2 rows, and 3 in the copy',
    ],
    [
      'a row in a table that was empty',
      (db) => db.insertInto('key_use').values({ key_id: 'k', use_date: '2026-01-01', requests: 1 }),
      'key_use has 0 rows, and 1 in the copy',
    ],
  ])('name the table that has %s', async (_what, change, sentence) => {
    const both = await openBoth();
    await both.from
      .insertInto('audit')
      .values([entry('a'), entry('b', 'x')])
      .execute();

    await expect(compareAfter(both, change)).rejects.toThrow(sentence);
  });
});
