import { sql } from 'kysely';
import type { Db } from '../../src/platform/database/database.ts';
import { isPostgresql } from './temporary-database.ts';

/**
 * How rows are found: `by index`, in their order, or else the plan of the engine. `from` is what comes after
 * `select * from`.
 *
 * PostgreSQL reads a small table whole, whatever its indexes: the plan is the one that it has without that.
 */
export async function explainAccess(db: Db, from: string): Promise<string> {
  const query = sql`select * from ${sql.raw(from)}`;
  if (!isPostgresql) {
    const { rows } = await sql<{ detail: string }>`explain query plan ${query}`.execute(db);
    const isIndexed = rows.length === 1 && rows[0]?.detail.startsWith('SEARCH ');
    return isIndexed ? 'by index' : JSON.stringify(rows);
  }
  return db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    await sql`set local enable_sort = off`.execute(tx);
    const { rows } = await sql<Record<string, string>>`explain (costs off) ${query}`.execute(tx);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    return /Index/.test(plan) && !/Seq Scan|Sort/.test(plan) ? 'by index' : plan;
  });
}
