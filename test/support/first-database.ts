import { onTestFinished } from 'vitest';
import { Migrator } from 'kysely/migration';
import { connectDatabase, type Db } from '../../src/platform/database/database.ts';
import { createFirstTables } from '../../src/platform/database/migrations/0001-first-tables.ts';
import { temporaryDatabaseUrl } from './temporary-database.ts';
import { making } from './making.ts';

/** A database as version 0.1 made it, before keys had limits; not migrated any further. */
export async function openFirstDatabase(
  url = temporaryDatabaseUrl({ isEmpty: true }),
): Promise<Db> {
  const db = connectDatabase(url, making);
  onTestFinished(async () => db.destroy());
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ '0001-first-tables': { up: createFirstTables } }) },
  });
  await migrator.migrateTo('0001-first-tables');
  return db;
}
