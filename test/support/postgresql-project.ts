import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/platform/database/database.ts';
import { PostgresqlServer } from './postgresql-server.ts';
import { making } from './making.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this run; undefined on SQLite. */
    readonly postgresqlUrl?: string;
  }
}

/** The database that is copied for each test. */
export const migratedName = 'migrated';

/** Starts the server on which each test of the project has a database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await PostgresqlServer.start();
  await server.createDatabase(migratedName);
  const migrated = Object.assign(new URL(server.url), { pathname: `/${migratedName}` });
  await (await openDatabase(migrated.href, making)).destroy();
  project.provide('postgresqlUrl', server.url);
  return async () => server.stop();
}
