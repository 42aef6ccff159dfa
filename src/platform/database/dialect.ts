import { type Kysely, type RawBuilder, sql, SqliteAdapter } from 'kysely';

/** What differs between the two engines, as statements; undefined where there is nothing to do. */
type Engine = {
  readonly name: 'sqlite' | 'postgresql';
  /** Makes processes that migrate at once take turns, until the transaction ends. */
  readonly lockMigrations: RawBuilder<unknown> | undefined;
  /** Which server it is, and the schema that the tables are in. */
  readonly server: RawBuilder<Server> | undefined;
  /** Columns of text that do not sort by their bytes yet. */
  readonly unorderedColumns: RawBuilder<TextColumn> | undefined;
  /** Makes one of them do so. */
  readonly orderByBytes: (column: TextColumn) => RawBuilder<unknown>;
  /** Tells processes that listen, once the transaction is committed. */
  readonly notify: ((topic: string) => RawBuilder<unknown>) | undefined;
};

/** `version` is as PostgreSQL counts: 150004 is 15.4. */
type Server = { readonly schema: string | null; readonly version: number };

type TextColumn = { readonly table: string; readonly column: string };

/** Where processes listen; one for all topics, because whoever hears it reads the revisions. */
export const channel = 'vatfx';

/** Any number, the same for every process. */
const migrationLock = 7_302_614;

const orderByBytes = ({ table, column }: TextColumn): RawBuilder<unknown> =>
  sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} type text collate "C"`;

const sqlite: Engine = {
  name: 'sqlite',
  // A transaction that writes has the whole file.
  lockMigrations: undefined,
  server: undefined,
  unorderedColumns: undefined,
  orderByBytes,
  notify: undefined,
};

const postgresql: Engine = {
  name: 'postgresql',
  // Not a lock of the session, which a pooler in transaction mode would give to somebody else.
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
  orderByBytes,
  notify: (topic) => sql`select pg_notify(${channel}, ${topic})`,
};

export function engineOf<T>(db: Kysely<T>): Engine {
  return db.getExecutor().adapter instanceof SqliteAdapter ? sqlite : postgresql;
}
