import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  PostgresQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import type { ConnectionOptions } from './connections.ts';
import { timeoutsMs } from './timeouts.ts';
import { DatabaseUnavailableError } from '../unavailable.ts';
import { UnknownCommitError } from '../unknown-commit.ts';

/**
 * The engine for several replicas: PostgreSQL 15 or later.
 *
 * Nothing depends on the session: no named statement, no session lock, no session setting. A pooler in transaction
 * mode therefore works. The first query loads the driver, so installations with SQLite never load it.
 */
export function createPostgresDialect(url: string, connections: ConnectionOptions): Dialect {
  const pool = async (): Promise<PostgresPool> =>
    (await import('./pool.ts')).createPool(url, connections);
  return {
    createAdapter: () => new ServerAdapter(),
    createDriver: () => new ServerDriver({ pool }),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** Has no lock of its own: migrations take turns by a lock of the transaction, see `dialect.ts`. */
class ServerAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Names all that the role, the database or the server may set otherwise; `deferrable` would wait for other transactions. */
const beginning =
  'begin isolation level read committed read write not deferrable; ' +
  `set local idle_in_transaction_session_timeout = ${timeoutsMs.idleInTransaction}; ` +
  `set local lock_timeout = ${timeoutsMs.lock}`;

/** Limits the time of each transaction: a process that is stopped in one must not keep its locks. */
class ServerDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    if (isolationLevel !== undefined || accessMode !== undefined) {
      throw new Error('database: transactions are always read committed and read-write');
    }
    await connection.executeQuery(CompiledQuery.raw(beginning));
  }

  /** Reports a COMMIT whose end is not known apart from one that PostgreSQL has refused. */
  override async commitTransaction(
    connection: Parameters<PostgresDriver['commitTransaction']>[0],
  ): Promise<void> {
    try {
      await super.commitTransaction(connection);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      const sentence = 'database: PostgreSQL has not acknowledged a COMMIT';
      throw new UnknownCommitError(sentence, { cause: error });
    }
  }

  /** Ignores a lost connection: the server rolls back by itself, and the caller gets the error that broke it. */
  override async rollbackTransaction(
    connection: Parameters<PostgresDriver['rollbackTransaction']>[0],
  ): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
    }
  }
}
