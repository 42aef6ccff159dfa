import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { formatApiKey } from '../../src/access/authentication/api-key.ts';
import type { Db } from '../../src/platform/database/database.ts';
import { sha256 } from '../../src/platform/values/digest.ts';
import { isPostgresql, openTemporaryDatabase, temporaryDatabaseUrl } from './temporary-database.ts';

/** The rows of the audit, in the order of their instants. */
export async function auditOf(db: Db): Promise<unknown[]> {
  const rows = await db
    .selectFrom('audit')
    .select(['at', 'action', 'subject', 'detail'])
    .orderBy('at')
    .execute();
  return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) }));
}

/** The revision of keys, which every change of a key raises. */
export async function keysRevisionOf(db: Db): Promise<number> {
  const rows = await db.selectFrom('revisions').selectAll().execute();
  return rows.find(({ topic }) => topic === 'keys')?.revision ?? 0;
}

/** All rows about keys, secrets, audit and revisions. */
export async function dumpKeys(db: Db): Promise<string> {
  return JSON.stringify([
    await db.selectFrom('api_keys').selectAll().execute(),
    await db.selectFrom('key_secrets').selectAll().orderBy('secret_hash').execute(),
    await db.selectFrom('audit').selectAll().execute(),
    await db.selectFrom('revisions').selectAll().execute(),
  ]);
}

/** The use of every key and day, each as `key_a 2026-11-20 3`. */
export async function storedUse(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('key_use').selectAll().execute();
  return rows.map((row) => `${row.key_id} ${row.use_date} ${row.requests}`).sort();
}

/**
 * Makes the database refuse a kind of write to some rows, as a full disk would, until it is repaired:
 *
 *     const repair = await breakTable(db, "insert on key_use when new.key_id = 'key_a'");
 */
export async function breakTable(db: Db, what: string): Promise<() => Promise<void>> {
  const [action = '', table = '', condition = 'true'] = what.split(/ on | when /);
  if (!isPostgresql) {
    await sql`create trigger broken before ${sql.raw(action)} on ${sql.table(table)}
      when ${sql.raw(condition)} begin select raise(abort, 'disk full'); end`.execute(db);
    return async () => void (await sql`drop trigger broken`.execute(db));
  }

  await sql`create or replace function break() returns trigger language plpgsql
    as $$ begin raise exception 'disk full'; end $$`.execute(db);
  await sql`create trigger broken before ${sql.raw(action)} on ${sql.table(table)}
    for each row when (${sql.raw(condition)}) execute function break()`.execute(db);
  return async () => void (await sql`drop trigger broken on ${sql.table(table)}`.execute(db));
}

/** Two processes with one database. */
export async function openTwice(): Promise<readonly [Db, Db]> {
  const url = temporaryDatabaseUrl();
  return [await openTemporaryDatabase(url), await openTemporaryDatabase(url)];
}

/** Stores many keys in few statements, and returns them as callers present them. */
export async function storeKeys(db: Db, count: number, at: string): Promise<readonly string[]> {
  const keys = Array.from({ length: count }, () => formatApiKey(randomBytes(32)));
  const plain = { rate_limit: 'default', quota: 'default', scopes: 'read checks webhooks' };
  const rows = keys.map((key, n) => ({ id: `key_${n}`, secret_hash: sha256(key) }));
  for (let from = 0; from < count; from += 200) {
    const some = rows.slice(from, from + 200);
    const ofKeys = some.map(({ id }) => ({ id, name: id, ...plain, created_at: at }));
    await db.insertInto('api_keys').values(ofKeys).execute();
    const secrets = some.map(({ id, secret_hash }) => ({
      secret_hash,
      key_id: id,
      created_at: at,
    }));
    await db.insertInto('key_secrets').values(secrets).execute();
  }
  return keys;
}
