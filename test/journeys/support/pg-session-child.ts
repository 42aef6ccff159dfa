import { sql } from 'kysely';
import { connectDatabase } from '../../../src/platform/database/database.ts';

/**
 * A process that uses its database while the test stops the process or the server.
 *
 * `in transaction`: it takes an advisory lock and reports it. `idle`: it has a connection; when the test continues
 * it, it closes its database and ends.
 */
const db = connectDatabase(process.env['DATABASE_URL'] ?? '');
if (process.argv[2] === 'in transaction') {
  await db
    .transaction()
    .execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(1)`.execute(tx);
      await hearAfter('holding');
      await sql`select 1`.execute(tx);
    })
    .catch((error: unknown) => process.send?.(String(error)));
} else {
  await sql`select 1`.execute(db);
  await hearAfter('idle');
}
process.disconnect?.();
await db.destroy();

async function hearAfter(word: string): Promise<void> {
  await new Promise((resolve) => {
    process.once('message', resolve);
    process.send?.(word);
  });
}
