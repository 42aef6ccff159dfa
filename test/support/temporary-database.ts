import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject, onTestFinished } from 'vitest';
import { type Db, openDatabase } from '../../src/platform/database/database.ts';
import { findPostgresql } from './programs.ts';

const postgresqlUrl = inject('postgresqlUrl');
let workerUrl: string | undefined;

/** The engine that this run of the suites is on. */
export const isPostgresql = postgresqlUrl !== undefined;

/** A new folder that is removed when the running test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-unit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The `DATABASE_URL` of an empty database that is removed when the test ends. */
export function temporaryDatabaseUrl(): string {
  const database = makeDatabase();
  onTestFinished(async () => database[Symbol.asyncDispose]());
  return database.url;
}

/** A connection to a migrated database, on a real engine; several to one URL are several processes. */
export async function openTemporaryDatabase(url = temporaryDatabaseUrl()): Promise<Db> {
  const db = await openDatabase(url);
  onTestFinished(async () => db.destroy());
  return db;
}

type DatabaseSettings = { readonly DATABASE_URL: string; readonly SECRET_KEY?: string };

/** The settings of a process that works on a database; with PostgreSQL it needs a given key. */
export function databaseSettings(url: string): DatabaseSettings {
  return isPostgresql ? { DATABASE_URL: url, SECRET_KEY: '5e'.repeat(32) } : { DATABASE_URL: url };
}

/**
 * Creates an empty database, which is removed when it is disposed of: a file that does not exist yet, or a schema of
 * its own in the server of the run.
 */
export function makeDatabase(): { readonly url: string } & AsyncDisposable {
  return postgresqlUrl === undefined ? makeFile() : makeSchema(postgresqlUrl);
}

function makeFile(): ReturnType<typeof makeDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-test-'));
  return {
    url: `file:${join(folder, 'vatfx.db')}`,
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function makeSchema(serverUrl: string): ReturnType<typeof makeDatabase> {
  workerUrl ??= openWorkerDatabase(serverUrl);
  const url = workerUrl;
  const schema = `test_${randomBytes(8).toString('hex')}`;
  const args = (statement: string): string[] => [url, '-qX', '-c', statement];
  execFileSync(psql(), args(`create schema ${schema}`));
  return {
    url: `${url}?options=-c%20search_path%3D${schema}`,
    [Symbol.asyncDispose]: async () => {
      const drop = `set client_min_messages = warning; drop schema ${schema} cascade`;
      await promisify(execFile)(psql(), args(drop));
    },
  };
}

/**
 * Creates a database for each worker: a migration reads the schemas of a whole database, and fails if
 * another worker drops one at that moment.
 */
function openWorkerDatabase(serverUrl: string): string {
  // oxlint-disable-next-line node/no-process-env -- the number of this worker
  const name = `worker_${process.env['VITEST_POOL_ID'] ?? '0'}`;
  try {
    const create = ['-qX', '-c', `create database ${name}`];
    execFileSync(psql(), [serverUrl, ...create], { stdio: 'pipe' });
  } catch (error) {
    // An earlier suite of the same worker has created it.
    if (!String(error).includes('already exists')) throw error;
  }
  return serverUrl.replace(/[^/]+$/, name);
}

function psql(): string {
  return join(findPostgresql() ?? '', 'psql');
}
