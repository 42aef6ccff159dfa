import { chmodSync, closeSync, openSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { flushFile } from '../flush-to-disk.ts';
import { migrationNames } from './migrations.ts';

/** A command waits this long for somebody else's lock on the file. */
const busyTimeoutMs = 10_000;
/** More pages than a file can have. */
const allPages = 2 ** 31 - 1;

const publishedTables = ['rate_snapshots', 'rate_changes', 'fx_snapshots'] as const;

/** How many rows of what is published there are, by table. */
export type PublishedRows = Readonly<Record<(typeof publishedTables)[number], number>>;

/**
 * Copies an embedded database beside whoever works with it, to a file that does not exist yet; checks the copy.
 *
 * The copy is of one moment, belongs to its owner alone, and needs nothing beside itself. It is as old as its
 * source: a backup before an upgrade must not upgrade. Throws where the copy cannot be relied upon.
 */
export async function copyInUse(source: string, copy: string): Promise<PublishedRows> {
  using from = openOurs(source);
  closeSync(openSync(copy, 'wx', 0o600));
  const before = countPublished(from);
  // At one go: between portions a writer would make SQLite begin anew, without an end under load.
  await backup(from, copy, { rate: allPages });
  const after = countPublished(from);

  const rows = await settleCopy(copy);
  for (const table of publishedTables) {
    if (rows[table] < before[table] || rows[table] > after[table]) {
      throw new Error(
        `database: the copy has ${rows[table]} rows in ${table}, expected ${before[table]} to ${after[table]}`,
      );
    }
  }
  return rows;
}

/**
 * Checks the copy of an embedded database and makes it one file that survives power loss.
 *
 * Throws, in words for the operator, for what is not a database of ours, is damaged, or comes from a newer
 * program.
 */
export async function settleCopy(file: string): Promise<PublishedRows> {
  const rows = await checkCopy(file);
  chmodSync(file, 0o600);
  flushFile(file);
  return rows;
}

/** The id of the SECRET_KEY that a copy was made under; undefined where it is not known. */
export function readKeyInUse(file: string): string | undefined {
  using database = openOurs(file);
  if (!hasTable(database, 'secret_key_in_use')) return undefined;
  return read(database, 'select key_id from secret_key_in_use where key_id is not null')[0];
}

/** Takes out of a copy what was about processes: they are not at work in it. */
export function forgetProcesses(file: string): void {
  using database = openOurs(file);
  if (hasTable(database, 'replicas')) database.exec('delete from replicas');
  // The epoch stays, so that it only ever grows.
  database.exec(`update leases set expires_at = '1970-01-01T00:00:00.000Z'`);
}

/**
 * Which migrations of this program a database lacks, by the names of those that it has; throws when it has one
 * that this program does not know.
 */
export function listPending(done: readonly string[]): readonly string[] {
  const newer = done.find((name) => !migrationNames.includes(name));
  if (newer !== undefined) {
    throw new Error(
      `database: it was made by a newer vatfx (${newer}); use that version or a later one`,
    );
  }
  return migrationNames.filter((name) => !done.includes(name));
}

async function checkCopy(file: string): Promise<PublishedRows> {
  using database = openOurs(file);
  const problem = findDamage(database);
  if (problem !== undefined) {
    throw new Error(`database: ${file} is damaged (${problem}); use another backup`);
  }
  listPending(read(database, 'select name from kysely_migration order by name'));
  // What is in a write-ahead log beside it comes into the file itself.
  database.exec('pragma journal_mode = delete');
  return countPublished(database);
}

/** Some damage is told as a row, some as an error. */
function findDamage(database: DatabaseSync): string | undefined {
  try {
    return read(database, 'pragma integrity_check').find((text) => text !== 'ok');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Opens a file that has to be there and to be ours; brings it to no other version. */
function openOurs(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    const isOurs = hasTable(database, 'kysely_migration') && hasTable(database, 'rate_snapshots');
    if (!isOurs) throw new Error('it has no tables of vatfx');
    return database;
  } catch (cause) {
    database.close();
    throw new Error(`database: ${file} is not a database of vatfx`, { cause });
  }
}

function hasTable(database: DatabaseSync, name: string): boolean {
  const found = database.prepare('select 1 from sqlite_master where type = ? and name = ?');
  return found.get('table', name) !== undefined;
}

function countPublished(database: DatabaseSync): PublishedRows {
  const counts = publishedTables.map((table) => {
    const [count] = read(database, `select count(*) from ${table}`);
    return [table, Number(count)];
  });
  return Object.fromEntries(counts) as PublishedRows;
}

/** The first column of every row, as text. */
function read(database: DatabaseSync, statement: string): string[] {
  return database
    .prepare(statement)
    .all()
    .map((row) => String(Object.values(row)[0]));
}
