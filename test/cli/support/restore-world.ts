import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { startServe } from '../../journeys/support/serve-process.ts';
import { runCommand } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-database.ts';
import { openSource, storeEverything } from './copy-world.ts';

/** A database that no process has open, and its backup. */
export async function openBackedUp(): Promise<{
  readonly file: string;
  readonly backup: string;
  readonly env: { readonly DATABASE_URL: string };
}> {
  const { db, file, url } = await openSource();
  await storeEverything(db);
  const env = { DATABASE_URL: url };
  const backup = join(temporaryFolder(), 'copy.db');
  const { code, stderr } = await runCommand(['backup', backup], env);
  if (code !== 0) throw new Error(stderr);
  await db.destroy();
  return { file, backup, env };
}

/** Starts a server without jobs on a restored database. */
export async function serveRestored(env: { readonly DATABASE_URL: string }) {
  return startServe({ ...env, PORT: '0', OPS_PORT: '0', JOBS: 'off', DELIVERY: 'off' });
}

/** Counts the publications of exchange rates in a database file; undefined without the file. */
export function countFx(file: string): unknown {
  if (!existsSync(file)) return undefined;
  using database = new DatabaseSync(file, { readOnly: true });
  return database.prepare('select count(*) n from fx_snapshots').get()?.['n'];
}
