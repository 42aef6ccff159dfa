import { Kysely, type KyselyConfig, type Transaction, type TransactionBuilder } from 'kysely';
import { repeatConflicts } from './conflicts.ts';
import { closeFilesToOthers, embeddedFileOf, makeEmbeddedFile } from './embedded-file.ts';
import { refuseProblem } from './migration-problem.ts';
import { findPending, migrate } from './migrations.ts';
import { describeOthers, inspectObjects, judgeObjects } from './objects/inspect-objects.ts';
import { createPostgresDialect } from './postgres.ts';
import type { ConnectionOptions } from './postgres-connections.ts';
import { createSqliteDialect } from './sqlite.ts';
import { explainStartFailure } from './start-failure.ts';
import type { Tables } from './tables.ts';
import { type CommitWatch, executeOnce } from './unknown-commit.ts';

/**
 * A query runner: the database itself, or a transaction in it.
 *
 * PostgreSQL may roll a transaction back because of another one, at any statement; it is then repeated. So the function of a
 * transaction has no effects outside the database, or only such as may happen twice. A transaction that must not be done
 * twice has a mark (`marks.ts`).
 */
export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** Options of a connection; all but the last are for PostgreSQL only. */
export type DatabaseOptions = Partial<ConnectionOptions> &
  CommitWatch & {
    /** Called with each error with which the engine answers a statement, and the text of the statement. */
    readonly onFailedStatement?: ((error: unknown, statement: string) => void) | undefined;
  };

/** Maximum of connections of a command. */
export const commandConnections = 2;

/**
 * Opens the database of a `DATABASE_URL` without migrating it.
 *
 * `file:./data/vatfx.db` is SQLite, relative to the working directory. A missing file and missing folders are
 * made, for their owner only. `postgres://` is PostgreSQL; the first query connects to it. By default it gets the two
 * connections of a command.
 */
export function connectDatabase(url: string, options: DatabaseOptions = {}): Db {
  const file = embeddedFileOf(url);
  const { onFailedStatement } = options;
  const failures: Pick<KyselyConfig, 'log'> =
    onFailedStatement === undefined
      ? {}
      : {
          log: (event) => {
            if (event.level === 'error') onFailedStatement(event.error, event.query.sql);
          },
        };
  if (file === undefined) {
    const connections = { connections: commandConnections, ...options };
    const dialect = createPostgresDialect(url, connections);
    return new ServerDatabase({ dialect, ...failures }, options);
  }
  try {
    makeEmbeddedFile(file);
    return new Kysely<Tables>({ dialect: createSqliteDialect(file), ...failures });
  } catch (error) {
    throw explainStartFailure(error, file);
  }
}

/** Opens the database and migrates it to this program's version. Files of an embedded one become private. */
export async function openDatabase(
  url: string,
  { onOtherObjects, ...options }: DatabaseOptions & StartOptions = {},
): Promise<Db> {
  const db = connectDatabase(url, options);
  const file = embeddedFileOf(url);
  try {
    await migrateAt(db, url, { onOtherObjects });
    if (file !== undefined) closeFilesToOthers(file);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** What the start of a server and `migrate` have, and other commands do not. */
export type StartOptions = {
  /**
   * Called with the names of objects that are not as vatfx makes them. With it, objects that change what vatfx writes are an error
   * (rule O19), before the database is migrated.
   */
  readonly onOtherObjects?: ((names: string) => void) | undefined;
};

/** Migrates the database of a `DATABASE_URL`, and returns the names of the migrations that it lacked. */
export async function migrateAt(
  db: Db,
  url: string,
  { onOtherObjects }: StartOptions = {},
): Promise<readonly string[]> {
  const file = embeddedFileOf(url);
  try {
    if (onOtherObjects !== undefined) await examineObjects(db, onOtherObjects);
    return await migrate(db);
  } catch (error) {
    throw file === undefined ? error : explainStartFailure(error, file);
  }
}

/** After the check that no newer program made the database, whose objects this one does not know. */
async function examineObjects(db: Db, onOthers: (names: string) => void): Promise<void> {
  await findPending(db);
  const differences = await inspectObjects(db);
  refuseProblem(judgeObjects(differences));
  const others = describeOthers(differences);
  if (others !== undefined) onOthers(others);
}

/**
 * PostgreSQL, whose transactions are repeated if another one was in the way. One that has a mark is done once, also if its
 * COMMIT is not acknowledged.
 */
class ServerDatabase extends Kysely<Tables> {
  readonly #watch: CommitWatch;

  constructor(config: KyselyConfig, watch: CommitWatch) {
    super(config);
    this.#watch = watch;
  }

  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction();
    const execute = builder.execute.bind(builder);
    builder.execute = async (work) =>
      repeatConflicts(async () => executeOnce(this, execute, work, this.#watch));
    return builder;
  }
}
