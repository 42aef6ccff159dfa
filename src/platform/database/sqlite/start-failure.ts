import { dirname } from 'node:path';
import { findFullDisk } from '../../files/full-disk.ts';

/** The reason and the advice for each basic code of SQLite. The sentence begins with the file of the database. */
const missing: ReadonlyMap<number, (folder: string) => string> = new Map([
  [8, (folder) => `it is read-only; let the user that vatfx runs as write ${folder}`],
  [
    10,
    (folder) =>
      `reading or writing in ${folder} failed; check the disk, and that the user that vatfx runs as may write every file there`,
  ],
  [
    14,
    (folder) =>
      `SQLite cannot make or open a file beside it; let the user that vatfx runs as read and write every file in ${folder}`,
  ],
]);

/** SQLite's codes SQLITE_IOERR_SHMOPEN, _SHMSIZE, _SHMLOCK and _SHMMAP. */
const sharedMemory: ReadonlySet<number> = new Set([4618, 4874, 5130, 5386]);

/**
 * Adds to an error with which SQLite ends the start what the operator has to do. Other errors are returned as they are.
 */
export function explainStartFailure(error: unknown, file: string): unknown {
  const full = findFullDisk(error, dirname(file));
  if (full !== undefined) return new Error(`database: ${file} cannot be used`, { cause: full });
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) {
    return error;
  }
  const reason = sharedMemory.has(error.errcode)
    ? 'its file system does not let processes share memory, as some network file systems do not; put it on a local disk'
    : missing.get(error.errcode & 0xff)?.(dirname(file));
  if (reason === undefined) return error;
  return new Error(`database: ${file} cannot be used: ${reason}`, { cause: error });
}
