import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely';
import { engineOf } from './dialect.ts';

/**
 * The condition that a column has a value, for a list that is ordered by that column and then by others.
 *
 * With `key_id = 'a' order by id` PostgreSQL may read the index of all ids and skip the rows of other keys, because it
 * expects rows of each key everywhere in it. If those of the key are all old, it reads all later rows of the others.
 * This condition is not a constant for its planner, so only an index that begins with the column has the order.
 */
export function hasValue<T>(
  db: Kysely<T>,
  column: string,
  value: string | number,
): RawBuilder<SqlBool> {
  if (engineOf(db).name === 'sqlite') return sql`${sql.ref(column)} = ${value}`;
  const type = sql.raw(typeof value === 'number' ? 'integer' : 'text');
  return sql`${sql.ref(column)} = any(array[${value}]::${type}[])`;
}

/**
 * The condition that a column has one of the values of a select, which are few.
 *
 * PostgreSQL does not know that they are few, and may read the whole table instead. It looks the elements of an array up
 * in the index.
 */
export function isAmong<T>(
  db: Kysely<T>,
  column: string,
  values: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  return engineOf(db).name === 'sqlite'
    ? sql`${sql.ref(column)} in ${values}`
    : sql`${sql.ref(column)} = any(array${values})`;
}

/** The condition that a column has a value, for rows that are found by another column. */
export function hasValueToo<T>(
  db: Kysely<T>,
  column: string,
  value: string | number,
): RawBuilder<SqlBool> {
  return sql`${notByIndex(db, column)} = ${value}`;
}

/**
 * A column, for a condition on rows that are found by another column.
 *
 * Without statistics SQLite cannot know which of several indexes has the fewest rows. With the `+` it uses none of this
 * column.
 */
export function notByIndex<T>(db: Kysely<T>, column: string): RawBuilder<unknown> {
  const isSqlite = engineOf(db).name === 'sqlite';
  return sql`${sql.raw(isSqlite ? '+' : '')}${sql.ref(column)}`;
}
