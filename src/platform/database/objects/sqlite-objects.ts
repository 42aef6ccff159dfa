import type { DatabaseObject } from './database-object.ts';

/** A row of `selectSqliteObjects`. SQLite opens no file in which kind, name or table differ from the statement. */
export type SqliteRow = {
  readonly kind: 'table' | 'index' | 'view' | 'trigger';
  readonly name: string;
  readonly table: string;
  readonly sql: string;
  /** Tables that the foreign keys of this one name, as JSON. */
  readonly named: string;
};

/** Without the indexes that SQLite makes for constraints. */
export const selectSqliteObjects = `
  select type as "kind", name, tbl_name as "table", sql,
    (select json_group_array(distinct "table") from pragma_foreign_key_list(s.name)) as "named"
  from sqlite_schema s where sql is not null`;

/** The objects of an embedded database, without the tables in which SQLite keeps its own figures, after ANALYZE for example. */
export function toSqliteObjects(rows: readonly SqliteRow[]): readonly DatabaseObject[] {
  // Only a table: whoever writes into the schema itself can give such a name to a trigger as well.
  const isInternal = ({ kind, name }: SqliteRow): boolean =>
    kind === 'table' && name.startsWith('sqlite_');
  return rows.filter((row) => !isInternal(row)).flatMap(toObjects);
}

function toObjects({ kind, name, table, sql, named }: SqliteRow): readonly DatabaseObject[] {
  const definition = name.startsWith('kysely_migration') ? printPlainly(sql) : sql;
  const keys = (JSON.parse(named) as readonly string[]).map((to) => {
    return { kind: 'foreign key', name: `of ${table}`, table: to, definition: '' } as const;
  });
  return [{ kind, name, table: kind === 'view' ? null : table, definition }, ...keys];
}

/** Versions before 0.3 let Kysely make the two tables of migrations, with quoted names and in one line. */
function printPlainly(sql: string): string {
  return sql.replaceAll('"', '').replaceAll(/\s+/g, ' ');
}
