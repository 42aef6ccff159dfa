import { sql } from 'kysely';
import type { Db } from '../../../src/platform/database/database.ts';

/** The sessions of a database that listen. */
export async function listListening(db: Db): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and query like 'listen %' order by pid`.execute(db);
  return rows.map(({ pid }) => pid);
}

/** Count of all sessions of a database, the one that counts included. */
export async function countSessions(db: Db): Promise<number> {
  const { rows } = await sql`
    select pid from pg_stat_activity where datname = current_database()`.execute(db);
  return rows.length;
}

/** Ends sessions, like a database that fails over. */
export async function cutOff(db: Db, pids: readonly number[]): Promise<void> {
  for (const pid of pids) await sql`select pg_terminate_backend(${pid}, 5000)`.execute(db);
}
