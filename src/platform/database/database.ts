import { Kysely, type Transaction } from 'kysely';
import { embeddedFileOf } from './embedded-file.ts';
import { migrate } from './migrations.ts';
import { createPostgresDialect } from './postgres.ts';
import { createSqliteDialect } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** A query runner: the database itself, or a transaction in it. */
export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/**
 * Opens the database of a `DATABASE_URL` as it is.
 *
 * `file:./data/vatfx.db` is SQLite, relative to the working directory; folders are made. `postgres://` is
 * PostgreSQL, which is first spoken to by the first query.
 */
export function connectDatabase(url: string): Db {
  const file = embeddedFileOf(url);
  const dialect = file === undefined ? createPostgresDialect(url) : createSqliteDialect(file);
  return new Kysely<Tables>({ dialect });
}

/** Opens the database, brought to this program's version. */
export async function openDatabase(url: string): Promise<Db> {
  const db = connectDatabase(url);
  try {
    await migrate(db);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
