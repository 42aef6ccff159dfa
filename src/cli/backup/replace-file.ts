import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CommandFailure } from '../report.ts';

const busyTimeoutMs = 2_000;
/** SQLite's word for: somebody else holds a lock. */
const busyCode = 5;

/**
 * Makes sure that nobody has an embedded database open, and leaves nothing of it beside the file.
 *
 * To leave the write-ahead log, SQLite wants the file for itself. Of a damaged one it is not known; then what
 * is beside it stays.
 */
export function closeToOthers(file: string): void {
  if (!existsSync(file)) return;
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
 * Puts a file in the place of another one at one go, and keeps that one under its name with `ending`. Returns
 * what was kept.
 */
export function replaceFile(draft: string, file: string, ending: string): string[] {
  const kept: string[] = [];
  // Left beside a damaged file: SQLite would read it into the new one.
  for (const beside of ['-wal', '-shm', '-journal']) {
    if (!existsSync(file + beside)) continue;
    renameSync(file + beside, file + ending + beside);
  }
  if (existsSync(file)) {
    keepOwner(file, draft);
    keep(file, file + ending);
    kept.push(file + ending);
  }
  renameSync(draft, file);
  flushFolder(dirname(file));
  return kept;
}

/** Puts the key of a backup beside the database; the one that was there is kept where it is another. */
export function replaceKey(from: string, file: string, ending: string): string[] {
  const key = readFileSync(from);
  if (existsSync(file) && readFileSync(file).equals(key)) return [];
  const draft = `${file}${ending}-new`;
  writeFileSync(draft, key, { mode: 0o600, flag: 'wx', flush: true });
  return replaceFile(draft, file, ending);
}

/** A server that runs as somebody else must be able to open what root restores. */
function keepOwner(of: string, file: string): void {
  const { uid, gid } = statSync(of);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
}

/** Under both names for a moment, so that there is no moment without the file. */
function keep(file: string, as: string): void {
  try {
    linkSync(file, as);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error;
    // Some file systems know no second name.
    renameSync(file, as);
  }
}

/** Power loss must not bring back what was replaced. */
function flushFolder(folder: string): void {
  // Windows opens no folders.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
