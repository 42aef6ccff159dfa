import { errorCodeOf } from '../log/errors.ts';

/** PostgreSQL that cannot be reached, does not answer in time, or refuses to work at all. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = 'DatabaseUnavailableError';
}

/**
 * SQLite's codes for a database that cannot be used now: busy, locked, read-only, an I/O error, a full disk, a
 * file that cannot be opened.
 */
const sqliteCodes: ReadonlySet<unknown> = new Set([5, 6, 8, 10, 13, 14]);

/** PostgreSQL's code for a role that lacks a right, which an operator may give it. */
const lacksRight = '42501';

/** True if the cause of an error is that the database is away, so that the same work may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof DatabaseUnavailableError || errorCodeOf(at) === lacksRight) return true;
    // An extended code has the basic code in its lowest byte.
    if ('errcode' in at && typeof at.errcode === 'number' && sqliteCodes.has(at.errcode & 0xff)) {
      return true;
    }
  }
  return false;
}
