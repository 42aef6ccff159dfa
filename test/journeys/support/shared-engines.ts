import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { findPostgresql, findRedis, isCi } from '../../support/programs.ts';
import { PostgresqlServer } from '../../support/postgresql-server.ts';
import { RedisServer } from '../../support/redis-server.ts';
import { isPostgresql } from '../../support/temporary-database.ts';

/** PostgreSQL and Redis of one test file, which it may kill, pause and start again. */
export type SharedEngines = { readonly postgresql: PostgresqlServer; readonly redis: RedisServer };

/**
 * True if suites that start their own engines can run. They run once, in the project of SQLite, because the engine of
 * the project does not matter for them.
 */
export const hasEngines =
  !isPostgresql && (isCi || (findPostgresql() && findRedis()) !== undefined);

/** Starts both for all tests of a file. */
export function shareEngines(): () => SharedEngines {
  let engines: SharedEngines | undefined;
  beforeAll(async () => {
    if (!hasEngines) return;
    const [postgresql, redis] = await Promise.all([PostgresqlServer.start(), RedisServer.start()]);
    engines = { postgresql, redis };
  });
  afterAll(async () => {
    await Promise.all([engines?.postgresql.stop(), engines?.redis.stop()]);
  });
  return () => {
    if (engines === undefined) throw new Error('the engines are there in tests only');
    return engines;
  };
}

/** Makes a schema in a server; returns the URL of a database for one test. */
export function makeSchema(server: PostgresqlServer): string {
  const schema = `test_${randomBytes(8).toString('hex')}`;
  const psql = join(findPostgresql() ?? '', 'psql');
  execFileSync(psql, [server.url, '-qX', '-c', `create schema ${schema}`]);
  return `${server.url}?options=-c%20search_path%3D${schema}`;
}

/** Makes an empty database in a server, for programs that work on all schemas; returns its URL. */
export function makeDatabaseIn(server: PostgresqlServer): string {
  const url = new URL(server.url);
  url.pathname = `test_${randomBytes(8).toString('hex')}`;
  const psql = join(findPostgresql() ?? '', 'psql');
  execFileSync(psql, [server.url, '-qX', '-c', `create database ${url.pathname.slice(1)}`]);
  return url.href;
}
