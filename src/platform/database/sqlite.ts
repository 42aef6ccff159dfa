import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryCompiler,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDatabase,
  SqliteDriver,
  SqliteQueryCompiler,
} from 'kysely';
import { LRUCache } from 'lru-cache';

/** A writer waits this long for another process's transaction, which are all short. */
const busyTimeoutMs = 10_000;
/** Where one has just waited in vain, those after it do not wait as long again. */
const busyAgainMs = 1_000;
/** How often a waiting transaction asks whether it can begin. */
const busyPauseMs = 5;

/**
 * The embedded engine: `node:sqlite` as Kysely wants to see it.
 *
 * WAL, so that readers and the CLI go on beside a writer; `synchronous=FULL`, so that a committed day
 * survives power loss. Both are read back, because SQLite ignores a pragma that it cannot honour.
 */
export function createSqliteDialect(file: string): Dialect {
  const database = openFile(file);
  try {
    turnOnWal(database);
  } catch (cause) {
    // Not closed: SQLite would remove a write-ahead log beside it, which `restore` keeps.
    if (!hasErrorCode(cause, notDatabase)) throw cause;
    throw new Error(
      `database: ${file} is not a database; set DATABASE_URL to the right file, or bring a backup ` +
        'back: restore FILE',
      { cause },
    );
  }
  requireDurability(database, file);
  return new EmbeddedDialect(toKysely(database));
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

function openFile(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: busyTimeoutMs });
  } catch (cause) {
    throw new Error(`database: ${file} cannot be opened; is it a file that we may write?`, {
      cause,
    });
  }
}

/** Two processes that open a new file at once both turn it on; for that lock SQLite does not wait. */
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

class EmbeddedDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    super({ database });
    this.#database = database;
  }

  override createDriver(): Driver {
    return new EmbeddedDriver({ database: this.#database });
  }

  override createAdapter(): DialectAdapter {
    return new EmbeddedAdapter();
  }

  override createQueryCompiler(): QueryCompiler {
    return new EmbeddedQueryCompiler();
  }
}

/**
 * Begins a transaction without stopping the process while another one writes.
 *
 * SQLite's own waiting happens inside the call and would hold up every request; the rest of its
 * statements are reads, which never wait, or come after the lock was taken here.
 */
class EmbeddedDriver extends SqliteDriver {
  /** Everybody shares a connection: who waits for the lock is waited for by all others, readers as well. */
  #patienceMs = busyTimeoutMs;

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const untilMs = performance.now() + this.#patienceMs;
    for (;;) {
      try {
        await run(connection, 'pragma busy_timeout = 0');
        await super.beginTransaction(connection);
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

  /** A full disk and an I/O error end the transaction by themselves: they are told, not that there is none. */
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
  /** SQLite's DDL is transactional: two processes that migrate at once take turns. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Leaves out `for update` and its like: a transaction that writes has the whole file. */
class EmbeddedQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node);
  }
}

function toKysely(database: DatabaseSync): SqliteDatabase {
  // Lists of each length are statements of their own: those that are not asked any more make room.
  const statements = new LRUCache<string, StatementSync>({ max: 500 });
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };

  return {
    close: () => database.close(),
    prepare: (text) => {
      // A deferred transaction that turns from reading to writing fails at once when another process
      // has written meanwhile. Ours all write, so they take the write lock when they begin.
      const statement = prepare(text === 'begin' ? 'begin immediate' : text);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...toValues(parameters)),
        run: (parameters) => statement.run(...toValues(parameters)),
        iterate: (parameters) => statement.iterate(...toValues(parameters)),
      };
    },
  };
}

function toValues(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}
