import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely';
import { timeoutsMs } from './postgres-timeouts.ts';
import { DatabaseUnavailableError } from './unavailable.ts';

/**
 * The engine for several replicas: PostgreSQL 15 or later.
 *
 * Nothing depends on the session: no named statement, no session lock, no session setting. So a pooler in
 * transaction mode may stand between. The driver is loaded by the first query: whoever has SQLite needs none.
 */
export function createPostgresDialect(url: string): Dialect {
  return new ServerDialect({
    pool: async () => (await import('./postgres-pool.ts')).createPool(url),
  });
}

class ServerDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new ServerDriver(this.#config);
  }

  override createAdapter(): DialectAdapter {
    return new ServerAdapter();
  }
}

/** Migrations take their turns by a lock of the transaction, see `dialect.ts`. */
class ServerAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

const beginning =
  `begin; set local idle_in_transaction_session_timeout = ${timeoutsMs.idleInTransaction}; ` +
  `set local lock_timeout = ${timeoutsMs.lock}`;

/** A process that is stopped in the middle of a transaction must not keep its locks for good. */
class ServerDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    if (isolationLevel !== undefined || accessMode !== undefined) {
      throw new Error('database: transactions are read committed, and nothing else');
    }
    await connection.executeQuery(CompiledQuery.raw(beginning));
  }

  /** A connection that is lost has rolled back by itself: what broke it is told, not that it is broken. */
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
