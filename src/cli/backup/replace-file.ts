import {
  existsSync,
  linkSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { findTables } from '../../platform/database/sqlite/sqlite.ts';
import { errorCodeOf } from '../../platform/log/errors.ts';
import { flushFolder, giveToOwner } from '../../platform/files/files.ts';
import { CommandFailure } from '../command/report.ts';
import { nameDraft } from './drafts.ts';

const busyTimeoutMs = 2_000;
/** SQLITE_BUSY: another process holds a lock. */
const busyCode = 5;

/**
 * Fails if another process has an embedded database open; otherwise removes its write-ahead log.
 *
 * SQLite removes the log only if no other process has the file open. A damaged file cannot be checked; the files
 * beside it stay.
 */
export function removeWriteAheadLog(file: string): void {
  if (!existsSync(file) || findTables(file) === 'no database') return;
  try {
    using database = new DatabaseSync(file, { timeout: busyTimeoutMs });
    database.exec('pragma journal_mode = delete');
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error && error.errcode === busyCode)) return;
    throw new CommandFailure(
      `another process works with ${file}; stop it and call restore again. Nothing was restored`,
    );
  }
}

/**
 * Replaces a file by a draft in one atomic rename, and keeps the old one under its name with `ending`. Returns the
 * names of kept files.
 */
export function replaceFile(draft: string, file: string, ending: string): string[] {
  const kept: string[] = [];
  // These stayed beside a damaged file. SQLite would apply them to the new one.
  for (const beside of ['-wal', '-shm', '-journal']) {
    if (!existsSync(file + beside)) continue;
    renameSync(file + beside, file + ending + beside);
  }
  giveToOwner(draft, file);
  if (existsSync(file)) {
    linkOrRename(file, file + ending);
    kept.push(file + ending);
  }
  renameSync(draft, file);
  flushFolder(dirname(file));
  return kept;
}

/**
 * The file to replace: what a symbolic link points to, which may be missing, or the path itself.
 *
 * An operator's link, to a larger disk for example, stays a link.
 */
export function followLink(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
  return existsSync(path) ? realpathSync(path) : resolve(dirname(path), readlinkSync(path));
}

/** Puts the key of a backup beside the database, and keeps the old key if it differs. */
export function replaceKey(from: string, keyFile: string, ending: string): string[] {
  const file = followLink(keyFile);
  const key = readFileSync(from);
  if (existsSync(file) && readFileSync(file).equals(key)) return [];
  const draft = nameDraft(file, 'restore');
  writeFileSync(draft, key, { mode: 0o600, flag: 'wx', flush: true });
  return replaceFile(draft, file, ending);
}

/** Links the old file to a second name before it is replaced: a file with its name exists at every moment. */
function linkOrRename(file: string, as: string): void {
  try {
    linkSync(file, as);
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') throw error;
    // Some file systems have no hard links.
    renameSync(file, as);
  }
}
