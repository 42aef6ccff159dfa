import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { createFirstTables } from './migrations/0001-first-tables.ts';
import { addKeyLimitsAndUse } from './migrations/0002-key-limits-and-use.ts';
import { createWebhooks } from './migrations/0003-webhooks.ts';

/** In their order, forward only; a released one is never edited. */
const migrations: Readonly<Record<string, Migration>> = {
  '0001-first-tables': { up: createFirstTables },
  '0002-key-limits-and-use': { up: addKeyLimitsAndUse },
  '0003-webhooks': { up: createWebhooks },
};

/**
 * Brings a database to this program's version and returns the names of what was done.
 *
 * Two processes may do this at the same time: each runs in one transaction, the second finds nothing
 * to do. A database of a newer program is refused, not touched.
 */
export async function migrate<T>(db: Kysely<T>): Promise<readonly string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const text = error instanceof Error ? error.message : '';
    const missing = /previously executed migration (\S+) is missing/.exec(text)?.[1];
    if (missing !== undefined) {
      throw new Error(
        `database: it was made by a newer vatfx (${missing}); start that version or a later one`,
      );
    }
    throw new Error('database: the migration failed; nothing was changed', { cause: error });
  }
  return (results ?? []).filter(({ status }) => status === 'Success').map((r) => r.migrationName);
}
