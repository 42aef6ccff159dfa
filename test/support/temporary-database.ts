import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Db, openDatabase } from '../../src/platform/database/database.ts';

/** A folder of the running test's own, gone when it ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-unit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The `DATABASE_URL` of a file that does not exist yet. */
export function temporaryDatabaseUrl(): string {
  return `file:${join(temporaryFolder(), 'vatfx.db')}`;
}

/** A connection to a migrated database, on a real file; several to one URL are several processes. */
export async function openTemporaryDatabase(url = temporaryDatabaseUrl()): Promise<Db> {
  const db = await openDatabase(url);
  onTestFinished(async () => db.destroy());
  return db;
}
