import { Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDatabaseUrl } from '../../../test/support/temporary-database.ts';
import { createSqliteDialect } from './sqlite.ts';

type Numbers = { numbers: { value: number } };

async function openNumbers(): Promise<Kysely<Numbers>> {
  const file = temporaryDatabaseUrl().slice('file:'.length);
  const db = new Kysely<Numbers>({ dialect: createSqliteDialect(file) });
  onTestFinished(async () => db.destroy());
  await sql`create table numbers (value integer primary key)`.execute(db);
  return db;
}

describe('createSqliteDialect', () => {
  it('refuses a database that cannot be written ahead, and says what is expected', () => {
    expect(() => createSqliteDialect(':memory:')).toThrow(
      'database: :memory: cannot be used safely (journal_mode memory, synchronous 2); ' +
        'expected a local file system with WAL',
    );
  });

  it('tells statements that give rows from those that change them', async () => {
    const db = await openNumbers();

    const inserted = await db.insertInto('numbers').values({ value: 1 }).executeTakeFirst();
    const returned = await db.deleteFrom('numbers').returning('value').execute();

    expect(inserted.numInsertedOrUpdatedRows).toBe(1n);
    expect(returned).toEqual([{ value: 1 }]);
  });

  it('goes on when there are more statements than it keeps', async () => {
    const db = await openNumbers();

    for (let value = 0; value < 600; value += 1) {
      await sql`insert into numbers values (${sql.lit(value)})`.execute(db);
    }

    const { rows } = await sql<{ count: number }>`select count(*) count from numbers`.execute(db);
    expect(rows).toEqual([{ count: 600 }]);
  });

  it('reads row by row', async () => {
    const db = await openNumbers();
    await db
      .insertInto('numbers')
      .values([{ value: 1 }, { value: 2 }])
      .execute();

    const values = await Array.fromAsync(db.selectFrom('numbers').selectAll().stream());

    expect(values).toEqual([{ value: 1 }, { value: 2 }]);
  });
});
