import { globSync, readFileSync } from 'node:fs';
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
  // Kills between the statements of SQLite, and copies its file for each kill.
  'test/journeys/crash.test.ts',
  // Have a file of their own, or no database.
  'test/cli/{demo,sandbox}.test.ts',
  // Slow, and about upstreams and receivers, whatever the database is.
  'test/journeys/{ecb-faults,tedb-faults,webhook-tarpits}.test.ts',
  // Start engines of their own.
  'test/journeys/{losing-*,replica-*,rolling-restart,redis-limits}.test.ts',
];

const sqlite: TestProjectInlineConfiguration = {
  extends: true,
  test: { name: 'sqlite', include: ['src/**/*.test.ts', 'test/**/*.test.ts'] },
};

const postgresql: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'postgresql',
    include: [
      ...ofParts,
      'test/{api,cli,journeys,webhooks}/**/*.test.ts',
      // The other suites of checks ask no database for anything.
      'test/vat-check/{privacy,route}.test.ts',
    ],
    exclude: [...notOnPostgresql],
    globalSetup: 'test/support/postgresql-project.ts',
  },
};

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // A deadline for conditions, not a measurement: machines are shared and noisy.
    expect: { poll: { timeout: 10_000 } },
    // Where PostgreSQL is not installed its project is left out; `programs.test.ts` says so.
    projects: findPostgresql() === undefined ? [sqlite] : [sqlite, postgresql],
  },
});
