import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { isPostgresql, openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from './database.ts';

/** Texts in the order of their bytes. ICU sorts them in another order. */
const byBytes = [
  '',
  ' ',
  '-b',
  '10',
  '9',
  'A',
  'Z',
  '_',
  'a',
  'a b',
  'a-c',
  'a_a',
  'aa',
  'e\u0301',
  'z',
  'ß',
  'é',
  'Ж',
  '\uFFFD',
  '\u{1F600}',
];

async function storeNames(db: Db, names: readonly string[]): Promise<void> {
  const limits = { rate_limit: 'none', quota: 'none', scopes: 'read' };
  const plain = { ...limits, expires_at: null, revoked_at: null };
  const rows = names.map((name) => ({ id: name, name, created_at: '', ...plain }));
  await db.insertInto('api_keys').values(rows).execute();
}

/** Text columns of all tables, with their collation; on PostgreSQL. */
async function readCollations(db: Db) {
  const { rows } = await sql<{ table: string; column: string; collation: string | null }>`
    select table_name as "table", column_name as "column", collation_name as collation
    from information_schema.columns
    where table_schema = current_schema() and data_type in ('text', 'character varying')
  `.execute(db);
  return rows;
}

describe('text in the database', () => {
  it('is sorted and compared by its bytes', async () => {
    const db = await openTemporaryDatabase();
    await storeNames(db, [...byBytes].reverse());
    const names = db.selectFrom('api_keys').select('name');

    const ordered = await names.orderBy('name').execute();
    const after = await names.where('name', '>', 'Z').orderBy('name').execute();

    expect(ordered.map(({ name }) => name)).toEqual(byBytes);
    expect(after.map(({ name }) => name)).toEqual(byBytes.slice(byBytes.indexOf('Z') + 1));
  });
});

describe.skipIf(!isPostgresql)('columns of text on PostgreSQL', () => {
  it('all sort by bytes after the migrations, except those of Kysely', async () => {
    const columns = (await readCollations(await openTemporaryDatabase())).filter(
      ({ table }) => !table.startsWith('kysely_'),
    );

    expect(columns.length).toBeGreaterThan(60);
    expect(columns.filter(({ collation }) => collation !== 'C')).toEqual([]);
  });
});
