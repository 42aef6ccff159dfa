import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { findPostgresql } from './test/support/programs.ts';

/** Suites of a single part that use a database; each takes it from the support of tests. */
const support =
  /emporaryDatabase|\/(?:first-database|open-guard|open-use-writer|stored-keys|stored-webhooks)\.ts/;
const ofParts = globSync('src/**/*.test.ts').filter((file) =>
  support.test(readFileSync(file, 'utf8')),
);

const notOnPostgresql: readonly string[] = [
  // About SQLite itself.
  'src/platform/database/sqlite.test.ts',
  // Tell who answered: what comes while PostgreSQL is asked is left to the general machinery.
  'test/api/fast-path-*.test.ts',
  // About heads, paths, parameters and bodies, which are judged before any database is asked.
  'test/api/{change-parameters,client-address,cors,dates-in-paths,errors}.test.ts',
  'test/api/{failed-authentication,json-bodies,log-lines,order-of-checks}.test.ts',
  'test/api/{raw,raw-refusals,strict-parameters}.test.ts',
  // Have a file of their own, or no database.
  'test/cli/{demo,sandbox,backup,backup-while-writing,restore}.test.ts',
];

/** Of the journeys those that are about what a database promises to several processes. */
const journeys =
  'test/journeys/{pg-*,crash,replicas,key-changes,secret-rotation,webhook-{crash,events,freshness,processes,retries}}.test.ts';

const inConsole = 'test/console/**/*.test.ts';

const sqlite: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'sqlite',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [inConsole],
  },
};

const console: TestProjectInlineConfiguration = {
  extends: true,
  test: { name: 'console', include: [inConsole], globalSetup: 'test/support/console-build.ts' },
};

const postgresql: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'postgresql',
    include: [
      ...ofParts,
      'test/{api,cli,webhooks}/**/*.test.ts',
      journeys,
      'test/fuzz/contract.test.ts',
      // Shows that a check leaves nothing in the database; the other suites of checks ask it for nothing.
      'test/vat-check/privacy.test.ts',
    ],
    exclude: [...notOnPostgresql],
    globalSetup: 'test/support/postgresql-project.ts',
  },
};

/** What is promised to callers, answered without the fast path. */
const general: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'general',
    include: ['test/{api,vat-check,openapi}/**/*.test.ts'],
    // Compares both.
    exclude: ['test/api/fast-path*.test.ts'],
    provide: { fastPath: false },
  },
};

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // Most of them wait for something most of the time: more workers than cores end sooner.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // A deadline for conditions, not a measurement: machines are shared and noisy.
    expect: { poll: { timeout: 10_000 } },
    // Where PostgreSQL is not installed its project is left out; `programs.test.ts` says so.
    projects: [sqlite, general, console, ...(findPostgresql() === undefined ? [] : [postgresql])],
  },
});
