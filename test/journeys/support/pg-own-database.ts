import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { inject, onTestFinished } from 'vitest';
import { connectDatabase, type Db } from '../../../src/platform/database/database.ts';

/**
 * A whole database in the server of the run, empty, gone when the test ends: where a schema is not enough because
 * what is tested is seen all over a database.
 */
export async function makeOwnDatabase(): Promise<string> {
  const url = new URL(inject('postgresqlUrl') ?? '');
  const admin = connectDatabase(url.href);
  const name = `test_${randomBytes(8).toString('hex')}`;
  await sql`create database ${sql.ref(name)}`.execute(admin);
  onTestFinished(async () => {
    await sql`drop database ${sql.ref(name)} with (force)`.execute(admin);
    await admin.destroy();
  });
  url.pathname = `/${name}`;
  return url.href;
}

/** The sessions of a database that listen. */
export async function listListening(db: Db): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and query like 'listen %' order by pid`.execute(db);
  return rows.map(({ pid }) => pid);
}

/** All sessions of a database, the one that asks included. */
export async function countSessions(db: Db): Promise<number> {
  const { rows } = await sql`
    select pid from pg_stat_activity where datname = current_database()`.execute(db);
  return rows.length;
}

/** Ends sessions, as a database that fails over does. */
export async function cutOff(db: Db, pids: readonly number[]): Promise<void> {
  for (const pid of pids) await sql`select pg_terminate_backend(${pid}, 5000)`.execute(db);
}
