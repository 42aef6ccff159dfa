import { Kysely, type KyselyConfig, type TransactionBuilder } from 'kysely';
import { repeatConflicts } from './postgresql/conflicts.ts';
import {
  closeFilesToOthers,
  embeddedFileOf,
  isThere,
  makeEmbeddedFile,
  requireUsableFile,
} from './sqlite/embedded-file.ts';
import { firstMigration, readDone } from './migrations/migration-list.ts';
import { findOwnerProblem, findServerProblem, refuseProblem } from './postgresql/server-problem.ts';
import { findPending, migrate } from './migrations/migrations.ts';
import { NoDatabaseError, placeOf } from './no-database.ts';
import { describeOthers, inspectObjects, judgeObjects } from './objects/inspect-objects.ts';
import { createPostgresDialect } from './postgresql/postgresql.ts';
import type { ConnectionOptions } from './postgresql/connections.ts';
import { createSqliteDialect, findTables } from './sqlite/sqlite.ts';
import { explainStartFailure } from './sqlite/start-failure.ts';
import type { Db, Tables } from './tables.ts';
import { type CommitWatch, executeOnce } from './unknown-commit.ts';
import { vatfx } from '../vatfx.ts';

export type { Db, Tx } from './tables.ts';

/** Options of a connection; all but the last are for PostgreSQL only. */
export type DatabaseOptions = Partial<ConnectionOptions> &
  CommitWatch & {
    /** Called with each error with which the engine answers a statement, and the text of the statement. */
    readonly onFailedStatement?: ((error: unknown, statement: string) => void) | undefined;
  };

/** Maximum of connections of a command. */
export const commandConnections = 2;

/** What only some openings of a database may do. */
export type StartOptions = {
  /**
   * Called with the names of objects that are not as vatfx makes them. With it, objects that change what vatfx writes are an error
   * (rule O19), before the database is migrated.
   */
  readonly onOtherObjects?: ((names: string) => void) | undefined;
  /** Called with the place of a database that was made. Without it, none is made: one must be there (rule O15). */
  readonly onMade?: ((place: string) => void) | undefined;
};

/**
 * Opens the database of a `DATABASE_URL` without migrating it.
 *
 * `file:./data/vatfx.db` is SQLite, relative to the working directory. With `onMade` a missing file is made, for its owner only;
 * a file with tables of another program is refused before anything in it changes. `postgres://` is PostgreSQL; the first query
 * connects to it. By default it gets the two connections of a command.
 */
export function connectDatabase(
  url: string,
  { onMade, ...options }: DatabaseOptions & Pick<StartOptions, 'onMade'> = {},
): Db {
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
    if (onMade === undefined) requireEmbedded(file);
    requireUsableFile(file);
    if (onMade !== undefined) makeEmbedded(file);
    return new Kysely<Tables>({ dialect: createSqliteDialect(file), ...failures });
  } catch (error) {
    throw explainStartFailure(error, file);
  }
}

/** Throws if there is no file, or one without tables of vatfx, and changes nothing. What cannot be read is reported later. */
export function requireEmbedded(file: string): void {
  const tables = isThere(file) ? findTables(file) : 'nobody';
  if (tables === 'no database') throw damaged(file);
  if (tables === 'nobody' || tables === 'another program') {
    throw new NoDatabaseError(`file:${file}`);
  }
}

/** Makes the file unless it is there. */
function makeEmbedded(file: string): void {
  makeEmbeddedFile(file);
  const tables = findTables(file);
  if (tables === 'no database') throw damaged(file);
  if (tables === 'another program') throw foreign(file);
}

/** Throws if a file has tables of another program, which must get none of vatfx. */
export function refuseForeign(file: string): void {
  if (findTables(file) === 'another program') throw foreign(file);
}

function foreign(file: string): Error {
  return new Error(
    `database: ${file} has tables of another program; set DATABASE_URL to a file of its own`,
  );
}

function damaged(file: string): Error {
  return new Error(
    `database: ${file} is not a database; set DATABASE_URL to the right file, or bring a backup back: ${vatfx('restore FILE')}`,
  );
}

/** Opens the database and migrates it to this program's version. Files of an embedded one become private. */
export async function openDatabase(
  url: string,
  { onOtherObjects, onMade, ...options }: DatabaseOptions & StartOptions = {},
): Promise<Db> {
  const db = connectDatabase(url, { ...options, onMade });
  const file = embeddedFileOf(url);
  try {
    await migrateAt(db, url, { onOtherObjects, onMade });
    if (file !== undefined) closeFilesToOthers(file);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Migrates the database of a `DATABASE_URL`, and returns the names of the migrations that it lacked. */
export async function migrateAt(
  db: Db,
  url: string,
  { onOtherObjects, onMade }: StartOptions = {},
): Promise<readonly string[]> {
  const file = embeddedFileOf(url);
  try {
    const isNew = !(await readDone(db)).includes(firstMigration);
    if (isNew && onMade === undefined) throw await explainMissing(db, url);
    if (onOtherObjects !== undefined) await examineObjects(db, onOtherObjects);
    const migrated = await migrate(db);
    if (isNew && migrated.length > 0) onMade?.(placeOf(url));
    return migrated;
  } catch (error) {
    throw file === undefined ? error : explainStartFailure(error, file);
  }
}

/** What is wrong with a database that seems to have no tables of vatfx: they may be there, and not readable. */
async function explainMissing(db: Db, url: string): Promise<Error> {
  refuseProblem((await findServerProblem(db)) ?? (await findOwnerProblem(db)));
  return new NoDatabaseError(url);
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
