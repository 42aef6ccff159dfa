import { Kysely, type Transaction } from 'kysely';
import { closeFilesToOthers, embeddedFileOf, makeEmbeddedFile } from './embedded-file.ts';
import { migrate } from './migrations.ts';
import { createPostgresDialect } from './postgres.ts';
import { createSqliteDialect } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** A query runner: the database itself, or a transaction in it. */
export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/**
 * Opens the database of a `DATABASE_URL` without migrating it.
 *
 * `file:./data/vatfx.db` is SQLite, relative to the working directory. A missing file and missing folders are
 * made, for their owner only. `postgres://` is PostgreSQL; the first query connects to it.
 */
export function connectDatabase(url: string): Db {
  const file = embeddedFileOf(url);
  if (file === undefined) return new Kysely<Tables>({ dialect: createPostgresDialect(url) });
  makeEmbeddedFile(file);
  return new Kysely<Tables>({ dialect: createSqliteDialect(file) });
}

/** Opens the database and migrates it to this program's version. Files of an embedded one become private. */
export async function openDatabase(url: string): Promise<Db> {
  const db = connectDatabase(url);
  const file = embeddedFileOf(url);
  try {
    await migrate(db);
    if (file !== undefined) closeFilesToOthers(file);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
