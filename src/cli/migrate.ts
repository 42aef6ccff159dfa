import { connectDatabase, migrateAt } from '../platform/database/database.ts';
import { type Io, printToStderr, type Report } from './report.ts';
import { loadWithWarnings, sayMade } from './with-database.ts';

/** Runs the migrations that the database lacks. */
export async function migrateDatabase(io: Io): Promise<Report> {
  const { config } = loadWithWarnings(io);
  const url = config.databaseUrl.reveal();
  const made = sayMade(io);
  await using db = connectDatabase(url, made);
  const migrated = await migrateAt(db, url, {
    ...made,
    onOtherObjects: (names) =>
      printToStderr(io, `warning: database has other objects than vatfx makes: ${names}`),
  });
  return {
    document: { migrated },
    text: migrated.length === 0 ? 'The database is up to date.' : `Done: ${migrated.join(', ')}`,
  };
}
