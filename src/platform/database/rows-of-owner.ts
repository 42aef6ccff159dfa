import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely';
import { engineOf } from './dialect.ts';

/**
 * The condition that rows are of one owner, for a list that is ordered by the owner and then by another column.
 *
 * With `key_id = 'a' order by id` PostgreSQL may read the index of all ids and skip the rows of other keys, because it
 * expects rows of each key everywhere in it. If those of the key are all old, it reads all later rows of the others.
 * This condition is not a constant for its planner, so only an index that begins with the owner has the order.
 */
export function isOwnedBy<T>(db: Kysely<T>, column: string, owner: string): RawBuilder<SqlBool> {
  return engineOf(db).name === 'postgresql'
    ? sql`${sql.ref(column)} = any(array[${owner}]::text[])`
    : sql`${sql.ref(column)} = ${owner}`;
}
