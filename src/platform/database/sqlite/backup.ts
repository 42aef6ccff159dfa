import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, type DatabaseSync } from 'node:sqlite';
import { flushFile } from '../../files/files.ts';
import { findFullDisk, writingInto } from '../../files/full-disk.ts';
import { listPending } from '../migrations/migrations.ts';
import {
  compareObjects,
  describeRefused,
  type Difference,
  requireOwnObjects,
} from '../objects/differences.ts';
import { listOwnObjects } from '../objects/own-objects.ts';
import { selectSqliteObjects, type SqliteRow, toSqliteObjects } from '../objects/sqlite-objects.ts';
import { openSqlite } from './sqlite.ts';

/** A number of pages above that of any file, so that the copy is made in one step. */
const allPages = 2 ** 31 - 1;

/** Row counts of the tables that hold published data; without tables that an older database does not have yet. */
export type PublishedRows = Readonly<Record<string, number>>;

/**
 * Copies an embedded database that other processes may be using, to a file that does not exist yet, and checks
 * the copy.
 *
 * The copy shows one moment, is readable by its owner only, and is complete in one file. It keeps the version of
 * its source, because a backup before an upgrade must not upgrade. Throws if the copy is not reliable.
 */
export async function copyInUse(
  source: string,
  copy: string,
  publishedTables: readonly string[],
): Promise<PublishedRows> {
  using from = openOurs(source);
  const before = countRows(from, publishedTables);
  // In one step: if another process writes between two steps, SQLite starts the copy again. Under load the copy
  // would never end.
  await writingInto(dirname(copy), async () => {
    closeSync(openSync(copy, 'wx', 0o600));
    await backup(from, copy, { rate: allPages });
  });
  const after = countRows(from, publishedTables);

  const rows = await settleCopy(copy, { publishedTables });
  for (const [table, least] of Object.entries(before)) {
    const count = rows[table] ?? 0;
    const most = after[table] ?? 0;
    if (count < least || count > most) {
      throw new Error(
        `database: the copy has ${count} rows in ${table}, expected ${least} to ${most}`,
      );
    }
  }
  return rows;
}

/**
 * Checks the copy of an embedded database and makes it one file that survives power loss.
 *
 * Throws a message for the operator if the file is not a database of vatfx, is damaged, or comes from a newer
 * program. The message names the file `source`, if the operator does not know the name of the copy.
 */
export async function settleCopy(
  file: string,
  of: { readonly publishedTables: readonly string[]; readonly source?: string },
): Promise<PublishedRows> {
  return writingInto(dirname(file), async () => {
    const rows = await checkCopy(file, { source: file, ...of });
    chmodSync(file, 0o600);
    flushFile(file);
    return rows;
  });
}

/** The id of the SECRET_KEY that the secrets in a copy are encrypted with; undefined if it is not known. */
export function readKeyInUse(file: string): string | undefined {
  using database = openOurs(file);
  if (!hasTable(database, 'secret_key_in_use')) return undefined;
  return read(database, 'select key_id from secret_key_in_use where key_id is not null')[0];
}

/**
 * Compares the objects of a copy with those that its own migrations make (rule O19), before anything is written into it.
 * Throws a message for the operator if it has others that do something by themselves. Drops foreign indexes; returns them and the
 * foreign tables.
 */
export function settleObjects(file: string, source: string): readonly Difference[] {
  using database = openOurs(file, source);
  const differences = compareWithOwn(database);
  requireOwnObjects(differences, source);
  for (const { kind, object } of differences) {
    if (kind === 'index') database.exec(`drop index "${object.replaceAll('"', '""')}"`);
  }
  return differences;
}

/** Names the objects in a copy because of which it could not be restored; undefined if there are none. */
export function findRefusedObjects(file: string): string | undefined {
  using database = openOurs(file);
  return describeRefused(compareWithOwn(database));
}

function compareWithOwn(database: DatabaseSync): readonly Difference[] {
  const rows = database.prepare(selectSqliteObjects).all() as unknown as readonly SqliteRow[];
  return compareObjects(toSqliteObjects(rows), listOwnObjects('sqlite', readDone(database)));
}

/**
 * Prepares a copy to be used instead of its source: no process is using the copy, and its event log begins an epoch.
 *
 * Without an epoch, a command that publishes before the first server starts would give positions that cursors from before
 * the restore name (rule E5).
 */
export function prepareForUse(file: string, at: string): void {
  using database = openOurs(file);
  if (hasTable(database, 'replicas')) database.exec('delete from replicas');
  // The fencing token stays, because it must never decrease.
  database.exec(`update leases set expires_at = '1970-01-01T00:00:00.000Z'`);
  if (!hasTable(database, 'event_log_epochs')) return;
  database
    .prepare('insert into event_log_epochs (id, started_at) values (?, ?)')
    .run(randomBytes(6).toString('hex'), at);
}

async function checkCopy(
  file: string,
  {
    publishedTables,
    source,
  }: { readonly publishedTables: readonly string[]; readonly source: string },
): Promise<PublishedRows> {
  using database = openOurs(file, source);
  const problem = findDamage(database);
  if (problem !== undefined) {
    throw new Error(`database: ${source} is damaged (${problem}); use another backup`);
  }
  listPending(readDone(database));
  // Moves the content of a write-ahead log beside the file into the file.
  database.exec('pragma journal_mode = delete');
  return countRows(database, publishedTables);
}

/** The damage that SQLite finds, which it reports as a row or as an error. */
function findDamage(database: DatabaseSync): string | undefined {
  try {
    return read(database, 'pragma integrity_check').find((text) => text !== 'ok');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Opens an existing database of vatfx without migrating it. Throws if the file is anything else; the message has
 * `name`.
 */
function openOurs(file: string, name = file): DatabaseSync {
  const database = openSqlite(file);
  try {
    const isOurs = hasTable(database, 'kysely_migration') && hasTable(database, 'rate_snapshots');
    if (!isOurs) throw new Error('it has no tables of vatfx');
    return database;
  } catch (cause) {
    database.close();
    const full = findFullDisk(cause, dirname(file));
    if (full !== undefined) throw full;
    throw new Error(`database: ${name} is not a database of vatfx`, { cause });
  }
}

function hasTable(database: DatabaseSync, name: string): boolean {
  const found = database.prepare('select 1 from sqlite_master where type = ? and name = ?');
  return found.get('table', name) !== undefined;
}

/** Counts the rows of those tables that the database has: it may be older than the others. */
function countRows(database: DatabaseSync, tables: readonly string[]): PublishedRows {
  const counts = tables
    .filter((table) => hasTable(database, table))
    .map((table) => {
      const [count] = read(database, `select count(*) from ${table}`);
      return [table, Number(count)] as const;
    });
  return Object.fromEntries(counts);
}

function readDone(database: DatabaseSync): readonly string[] {
  return read(database, 'select name from kysely_migration order by name');
}

/** Returns the first column of every row, as text. */
function read(database: DatabaseSync, statement: string): string[] {
  return database
    .prepare(statement)
    .all()
    .map((row) => String(Object.values(row)[0]));
}
