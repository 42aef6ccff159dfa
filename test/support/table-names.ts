import { sql } from 'kysely';
import type { Db } from '../../src/platform/database/database.ts';
import { engineOf } from '../../src/platform/database/dialect.ts';

/** The tables of a database in their order, without those of the migrations. */
export async function tableNames(db: Db): Promise<string[]> {
  const { rows } = await (
    engineOf(db).name === 'postgresql'
      ? sql<{ name: string }>`
        select table_name as name from information_schema.tables
        where table_schema = current_schema()`
      : sql<{ name: string }>`select name from sqlite_master where type = 'table'`
  ).execute(db);
  return rows
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('kysely'))
    .sort();
}
