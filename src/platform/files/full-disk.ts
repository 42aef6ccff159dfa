import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodeOf } from '../log/errors.ts';

/** More than SQLite needs for the files beside a database when it opens it. */
const probeBytes = 65_536;

/** A disk without room, or a user whose quota is used up. The sentence names the folder. */
export class FullDiskError extends Error {
  override readonly name = 'FullDiskError';
}

/**
 * Finds whether an error of a write into a folder means that nothing more can be written there. Libraries such as SQLite hide the
 * cause: then it is found by writing a small file.
 */
export function findFullDisk(error: unknown, folder: string): FullDiskError | undefined {
  if (error instanceof FullDiskError) return error;
  const code = errorCodeOf(error);
  const found = isFull(code) ? code : isOfSqlite(error) ? probe(folder) : undefined;
  if (found === undefined) return undefined;
  const quota = found === 'EDQUOT' ? ': the quota of this user is used up' : '';
  return new FullDiskError(`no space left on ${folder}${quota}`, { cause: error });
}

/** Returns an error of a write into a folder; one that says so if the disk is full. */
export function explainFullDisk(error: unknown, folder: string): unknown {
  return findFullDisk(error, folder) ?? error;
}

/** Calls `write`, whose errors name a full disk. */
export async function writingInto<T>(folder: string, write: () => T | Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw explainFullDisk(error, folder);
  }
}

function isFull(code: unknown): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** SQLite's basic codes SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN, one of which a full disk causes. */
function isOfSqlite(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    [10, 13, 14].includes(error.errcode & 0xff)
  );
}

/** The code of the refusal if a small file cannot be written for want of space. */
function probe(folder: string): unknown {
  const file = join(folder, `.vatfx-space-${randomBytes(6).toString('hex')}`);
  try {
    writeFileSync(file, Buffer.alloc(probeBytes), { flag: 'wx', mode: 0o600 });
    return undefined;
  } catch (error) {
    const code = errorCodeOf(error);
    return isFull(code) ? code : undefined;
  } finally {
    rmSync(file, { force: true });
  }
}
