import { type Kysely, type RawBuilder, sql, SqliteAdapter } from 'kysely';

/** Statements that differ between the two engines; undefined if an engine needs none. */
type Engine = {
  readonly name: 'sqlite' | 'postgresql';
  /** Makes processes that migrate at the same time take turns, until the transaction ends. */
  readonly lockMigrations: RawBuilder<unknown> | undefined;
  /** Reads the version of the server and the schema that the tables are in. */
  readonly server: RawBuilder<Server> | undefined;
  /** Finds columns of text that do not sort by their bytes yet. */
  readonly unorderedColumns: RawBuilder<TextColumn> | undefined;
  /** A long text as an index has it. Equal texts are equal; whether the texts are is still to be compared. */
  readonly textInIndex: (text: RawBuilder<unknown>) => RawBuilder<unknown>;
};

/** `version` is a number in PostgreSQL's form: 150004 is 15.4. */
type Server = { readonly schema: string | null; readonly version: number };

type TextColumn = { readonly table: string; readonly column: string };

/** The id of the lock: an arbitrary number, the same for every process. */
const migrationLock = 7_302_614;

const sqlite: Engine = {
  name: 'sqlite',
  // Not needed: a transaction that writes locks the whole file.
  lockMigrations: undefined,
  server: undefined,
  unorderedColumns: undefined,
  textInIndex: (text) => text,
};

const postgresql: Engine = {
  name: 'postgresql',
  // Not a lock of the session: a pooler in transaction mode gives the session to another process.
  lockMigrations: sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`,
  server: sql`select current_schema() as schema,
    current_setting('server_version_num')::integer as version`,
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
export function engineOf<T>(db: Kysely<T>): Engine {
  return db.getExecutor().adapter instanceof SqliteAdapter ? sqlite : postgresql;
}

/** Makes a column of PostgreSQL sort by its bytes. */
export function orderByBytes({ table, column }: TextColumn): RawBuilder<unknown> {
  return sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} type text collate "C"`;
}
