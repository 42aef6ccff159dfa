import { connectDatabase } from '../platform/database/database.ts';
import { migrate } from '../platform/database/migrations.ts';
import type { Io, Report } from './report.ts';
import { loadWithWarnings } from './with-core.ts';

/** Runs the migrations that the database lacks. */
export async function migrateDatabase(io: Io): Promise<Report> {
  const { config } = loadWithWarnings(io);
  await using db = connectDatabase(config.databaseUrl.reveal());
  const migrated = await migrate(db);
  return {
    document: { migrated },
    text: migrated.length === 0 ? 'The database is up to date.' : `Done: ${migrated.join(', ')}`,
  };
}
