import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject, onTestFinished } from 'vitest';
import { type Db, openDatabase } from '../../src/platform/database/database.ts';
import { migratedName } from './postgresql-project.ts';
import { findPostgresql } from './programs.ts';
import { making } from './making.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A database file with all tables and no rows. */
    readonly migratedFile: string;
  }
}

const postgresqlUrl = inject('postgresqlUrl');

/** The state in which a test gets its database. */
type Contents = {
  /** Without tables; otherwise it has all tables, without rows, as a copy of one that was migrated once for all tests. */
  readonly isEmpty?: true;
};

/** The engine that this run of the suites is on. */
export const isPostgresql = postgresqlUrl !== undefined;

/** A new folder that is removed when the running test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-unit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The `DATABASE_URL` of a new database that is removed when the test ends. */
export function temporaryDatabaseUrl(contents: Contents = {}): string {
  const database = makeDatabase(contents);
  onTestFinished(async () => database[Symbol.asyncDispose]());
  return database.url;
}

/** A connection to a migrated database, on a real engine; several to one URL are several processes. */
export async function openTemporaryDatabase(url = temporaryDatabaseUrl()): Promise<Db> {
  const db = await openDatabase(url, making);
  onTestFinished(async () => db.destroy());
  return db;
}

type DatabaseSettings = { readonly DATABASE_URL: string; readonly SECRET_KEY?: string };

/** The settings of a process that works on a database; with PostgreSQL it needs a given key. */
export function databaseSettings(url: string): DatabaseSettings {
  return isPostgresql ? { DATABASE_URL: url, SECRET_KEY: '5e'.repeat(32) } : { DATABASE_URL: url };
}

/** Creates a database, which is removed when it is disposed of: a file, or a database in the server of the run. */
export function makeDatabase(contents: Contents = {}): { readonly url: string } & AsyncDisposable {
  return postgresqlUrl === undefined ? makeFile(contents) : makeInServer(postgresqlUrl, contents);
}

/** An empty database is a file that does not exist yet. */
function makeFile({ isEmpty }: Contents): ReturnType<typeof makeDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-test-'));
  const file = join(folder, 'vatfx.db');
  if (isEmpty !== true) copyFileSync(inject('migratedFile'), file);
  return {
    url: `file:${file}`,
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function makeInServer(serverUrl: string, { isEmpty }: Contents): ReturnType<typeof makeDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const args = (statement: string): string[] => [serverUrl, '-qX', '-c', statement];
  const template = isEmpty === true ? 'template1' : migratedName;
  execFileSync(psql(), args(`create database ${name} template ${template}`));
  return {
    url: Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href,
    [Symbol.asyncDispose]: async () => {
      await promisify(execFile)(psql(), args(`drop database ${name} with (force)`));
    },
  };
}

function psql(): string {
  return join(findPostgresql() ?? '', 'psql');
}
