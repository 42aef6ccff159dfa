import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type SelectModifierNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { explainFullDisk, findFullDisk } from '../../files/full-disk.ts';
import { isRegularFile } from './embedded-file.ts';
import { firstMigration } from '../migrations/migration-list.ts';

/** Maximum wait for another process's transaction; all transactions are short. */
const busyTimeoutMs = 10_000;
/** Maximum wait after a transaction has just waited for the whole of `busyTimeoutMs`. */
const busyAgainMs = 1_000;
/** Pause between two tries to begin a transaction. */
const busyPauseMs = 5;

/**
 * The embedded engine: `node:sqlite` with the interface that Kysely expects.
 *
 * It writes ahead (WAL), so that readers and the CLI can work beside a writer. It sets `synchronous=FULL`, so that a
 * committed day survives power loss. Both settings are read back, because SQLite ignores a pragma that it cannot
 * apply.
 */
export function createSqliteDialect(file: string): Dialect {
  const database = openSqlite(file);
  turnOnWal(database);
  requireDurability(database, file);
  return {
    createAdapter: () => new EmbeddedAdapter(),
    createDriver: () => new EmbeddedDriver({ database: toKysely(database, dirname(file)) }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new EmbeddedQueryCompiler(),
  };
}

/** Whose tables a file has. An empty file is a database without tables. */
export type TablesOf = 'vatfx' | 'another program' | 'nobody' | 'no database';

/**
 * Finds whose tables a file has; undefined if it cannot be read now, which the next connection reports.
 *
 * The file is opened for reading only: a connection that may write would turn on WAL in a file of another program. It would also
 * remove a write-ahead log beside it when it is closed or garbage-collected, and `restore` keeps that log.
 */
export function findTables(file: string): TablesOf | undefined {
  // SQLite would wait for the writer of a FIFO.
  if (!isRegularFile(file)) return undefined;
  try {
    using database = new DatabaseSync(withoutTraces(file), { readOnly: true });
    const tables = database.prepare('select name from sqlite_schema').all();
    if (tables.length === 0) return 'nobody';
    if (!tables.some(({ name }) => name === 'kysely_migration')) return 'another program';
    const find = database.prepare('select 1 from kysely_migration where name = ?');
    return find.get(firstMigration) === undefined ? 'another program' : 'vatfx';
  } catch (error) {
    return hasErrorCode(error, notDatabase) ? 'no database' : undefined;
  }
}

/**
 * The name with which SQLite reads a file and makes none beside it, which a database in WAL mode otherwise gets. It does so only
 * if there is no log or journal, which have newer pages.
 */
function withoutTraces(file: string): URL | string {
  if (['-wal', '-journal'].some((end) => existsSync(file + end))) return file;
  return Object.assign(pathToFileURL(file), { search: 'immutable=1' });
}

/** Flushes each commit to the disk. Closes the database and throws if that or WAL is not in force. */
function requireDurability(database: DatabaseSync, file: string): void {
  const read = (pragma: string): unknown => database.prepare(`PRAGMA ${pragma}`).get()?.[pragma];
  database.exec('PRAGMA synchronous = FULL');
  const journal = read('journal_mode');
  const synchronous = read('synchronous');
  if (journal !== 'wal' || synchronous !== 2) {
    database.close();
    throw new Error(
      `database: ${file} cannot be used safely (journal_mode ${String(journal)}, ` +
        `synchronous ${String(synchronous)}); expected a local file system with WAL`,
    );
  }
}

/**
 * Opens a file of SQLite for reading and writing. Temporary files of its statements are made beside it.
 *
 * The folder of the database may be the only one that can be written. In memory (`temp_store`) they would have no limit:
 * a migration may change every row in one statement. SQLite removes the name of such a file when it makes it.
 */
export function openSqlite(file: string): DatabaseSync {
  const database = openFile(file);
  const folder = dirname(resolve(file)).replaceAll("'", "''");
  database.exec(`PRAGMA temp_store_directory = '${folder}'`);
  return database;
}

function openFile(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: busyTimeoutMs });
  } catch (cause) {
    const full = findFullDisk(cause, dirname(file));
    if (full !== undefined) throw full;
    throw new Error(`database: ${file} cannot be opened; check that vatfx may read and write it`, {
      cause,
    });
  }
}

/** Retries while another process turns WAL on for the same new file; SQLite itself does not wait for that lock. */
function turnOnWal(database: DatabaseSync): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const untilMs = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > untilMs) throw error;
      Atomics.wait(pause, 0, 0, 10);
    }
  }
}

/** SQLite's codes SQLITE_BUSY (another connection holds the lock) and SQLITE_NOTADB. */
const busy = 5;
const notDatabase = 26;

function isBusy(error: unknown): boolean {
  return hasErrorCode(error, busy);
}

function hasErrorCode(error: unknown, code: number): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === code;
}

/**
 * Begins a transaction without blocking this process while another process writes.
 *
 * SQLite itself would wait inside the synchronous call and block every request. All other statements are reads,
 * which never wait, or run after the lock was taken here.
 */
class EmbeddedDriver extends SqliteDriver {
  /** There is one connection: a transaction that waits for the lock blocks every other query, reads included. */
  #patienceMs = busyTimeoutMs;

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const untilMs = performance.now() + this.#patienceMs;
    for (;;) {
      try {
        await run(connection, 'pragma busy_timeout = 0');
        // A deferred transaction that reads and then writes fails if another process has written in between.
        // All transactions of vatfx write, so they take the write lock when they begin.
        await run(connection, 'begin immediate');
        this.#patienceMs = busyTimeoutMs;
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (performance.now() > untilMs) {
          this.#patienceMs = busyAgainMs;
          throw error;
        }
      } finally {
        await run(connection, `pragma busy_timeout = ${busyTimeoutMs}`);
      }
      await sleep(busyPauseMs);
    }
  }

  /** A full disk or an I/O error ends the transaction. That error is thrown, not that there is no transaction. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!String(error).includes('no transaction is active')) throw error;
    }
  }
}

async function run(connection: DatabaseConnection, sql: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(sql));
}

class EmbeddedAdapter extends SqliteAdapter {
  /** SQLite's DDL is transactional, so two processes that migrate at the same time take turns. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Leaves out `for update` and similar words: a transaction that writes locks the whole file. */
class EmbeddedQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node);
  }
}

function toKysely(database: DatabaseSync, folder: string): SqliteDatabase {
  const explained = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw explainFullDisk(error, folder);
    }
  };
  // A list of parameters of another length is another statement. Those used least recently are dropped.
  const statements = new LRUCache<string, SqliteStatement>({
    max: 500,
    memoMethod: (sql) => toKyselyStatement(database.prepare(sql), explained),
  });
  return { close: () => database.close(), prepare: (sql) => explained(() => statements.memo(sql)) };
}

function toKyselyStatement(
  statement: StatementSync,
  explained: <T>(work: () => T) => T,
): SqliteStatement {
  return {
    // Once for each statement: SQLite describes every column of its result.
    reader: statement.columns().length > 0,
    all: (parameters) => explained(() => statement.all(...toValues(parameters))),
    run: (parameters) => explained(() => statement.run(...toValues(parameters))),
    iterate: (parameters) => statement.iterate(...toValues(parameters)),
  };
}

function toValues(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}
