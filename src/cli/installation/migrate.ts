import { connectDatabase, migrateAt } from '../../platform/database/database.ts';
import { reporting } from '../command/command.ts';
import { printToStderr } from '../command/report.ts';
import { loadWithWarnings, sayMade } from '../running/with-database.ts';

export const migrate = reporting({
  examples: ['migrate'],
  run: async (io) => {
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
  },
});
