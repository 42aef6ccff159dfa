import type { TestProject } from 'vitest/node';
import { PostgresqlServer } from './postgresql-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this run; undefined on SQLite. */
    readonly postgresqlUrl?: string;
  }
}

/** Starts the server on which the suites of the `postgresql` project have a schema for each test. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await PostgresqlServer.start();
  project.provide('postgresqlUrl', server.url);
  return async () => server.stop();
}
