import { type Kysely, sql } from 'kysely';
import { engineOf } from '../dialect.ts';

/** The first migration: every database of vatfx has it, of whatever version, and no database of another program. */
export const firstMigration = '0001-first-tables';

/** Reads the names of the migrations that were done: none if there is no list, or one that this process may not read. */
export async function readDone<T>(db: Kysely<T>): Promise<readonly string[]> {
  const [list] = (await engineOf(db).migrationList.execute(db)).rows;
  if (!list?.isThere) return [];
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
