/** PostgreSQL that cannot be reached, does not answer in time, or refuses to work at all. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/**
 * SQLite's own words for a database that cannot be used now: busy, locked, read-only, an I/O error, a full
 * disk, a file that cannot be opened.
 */
const sqliteCodes: ReadonlySet<unknown> = new Set([5, 6, 8, 10, 13, 14]);

/** Whether something failed because the database is away, so that it may well work later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof DatabaseUnavailableError) return true;
    // Extended codes have the plain one in their lowest byte.
    if ('errcode' in at && typeof at.errcode === 'number' && sqliteCodes.has(at.errcode & 0xff)) {
      return true;
    }
  }
  return false;
}
