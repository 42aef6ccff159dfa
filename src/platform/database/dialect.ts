import { type Kysely, type RawBuilder, sql, SqliteAdapter } from 'kysely';

export type Engine = 'sqlite' | 'postgresql';

/** Statements that differ between the two engines; undefined if an engine needs none. */
type Dialect = {
  readonly name: Engine;
  /** Makes processes that migrate at the same time take turns, until the transaction ends. */
  readonly lockMigrations: RawBuilder<unknown> | undefined;
  /** Reads the schema that the tables are in; null if there is none. */
  readonly schema: RawBuilder<{ readonly schema: string | null }> | undefined;
  /** Finds whether there is a list of the migrations that were done, and this process may read it. */
  readonly migrationList: RawBuilder<{ readonly isThere: boolean | number }>;
  /** Finds whether the server is a standby, which may lack commits that the primary server has; undefined for no server. */
  readonly standby: RawBuilder<{ readonly isStandby: boolean }> | undefined;
  /** Finds columns of text that do not sort by their bytes yet. */
  readonly unorderedColumns: RawBuilder<TextColumn> | undefined;
  /** A long text as an index has it. Equal texts are equal; whether the texts are is still to be compared. */
  readonly textInIndex: (text: RawBuilder<unknown>) => RawBuilder<unknown>;
};

type TextColumn = { readonly table: string; readonly column: string };

/** The id of the lock: an arbitrary number, the same for every process. */
const migrationLock = 7_302_614;

const sqlite: Dialect = {
  name: 'sqlite',
  // Not needed: a transaction that writes locks the whole file.
  lockMigrations: undefined,
  schema: undefined,
  migrationList: sql`select exists(
    select 1 from sqlite_schema where name = 'kysely_migration') as "isThere"`,
  standby: undefined,
  unorderedColumns: undefined,
  textInIndex: (text) => text,
};

const postgresql: Dialect = {
  name: 'postgresql',
  // Not a lock of the session: a pooler in transaction mode gives the session to another process.
  lockMigrations: sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`,
  schema: sql`select current_schema() as schema`,
  // Another schema may have tables of the same name that belong to another program.
  migrationList: sql`select coalesce(has_table_privilege(
    to_regclass(quote_ident(current_schema()) || '.kysely_migration'), 'select'), false) as "isThere"`,
  standby: sql`select pg_is_in_recovery() as "isStandby"`,
  unorderedColumns: sql`
    select c.table_name as "table", c.column_name as "column"
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where table_schema = current_schema() and t.table_type = 'BASE TABLE'
      and c.data_type = 'text' and c.collation_name is distinct from 'C'
    order by 1, 2`,
  // An entry of an index has 2,704 bytes at most.
  textInIndex: (text) => sql`md5(${text})`,
};

/** The engine of a database, or of a transaction in it. */
export function engineOf<T>(db: Kysely<T>): Dialect {
  return db.getExecutor().adapter instanceof SqliteAdapter ? sqlite : postgresql;
}

/** Makes a column of PostgreSQL sort by its bytes. */
export function orderByBytes({ table, column }: TextColumn): RawBuilder<unknown> {
  return sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} type text collate "C"`;
}
