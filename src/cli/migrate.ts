import { connectDatabase } from '../platform/database/database.ts';
import { migrate } from '../platform/database/migrations.ts';
import { report } from './report.ts';
import { loadWithWarnings } from './with-core.ts';

/** Brings the database to this program's version. */
export async function migrateDatabase(options: { readonly json?: boolean }): Promise<void> {
  const { config } = loadWithWarnings();
  const db = connectDatabase(config.databaseUrl.reveal());
  try {
    const migrated = await migrate(db);
    const text =
      migrated.length === 0 ? 'The database is up to date.' : `Done: ${migrated.join(', ')}`;
    report(options.json, { migrated }, text);
  } finally {
    await db.destroy();
  }
}
