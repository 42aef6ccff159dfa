import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { inject, onTestFinished } from 'vitest';
import { connectDatabase, type Db } from '../../../src/platform/database/database.ts';

/**
 * An empty database in the server of this run, deleted when the test ends. Tests of things that are visible in a
 * whole database need one, because a schema does not separate them.
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
