import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { promises } from './prove/promises.ts';
import { findPostgresql } from './test/support/programs.ts';

/**
 * The tests in five tiers, by the end of a project's name (CONTRIBUTING.md, Tests).
 *
 * - `sqlite` and `sqlite-isolated`: `npm test`, on SQLite, without any other program.
 * - `-engines`: `npm run test:engines`, with PostgreSQL, Redis, nginx and Chromium.
 * - `-prove`: `npm run prove`, the promises of reliability that take long to show.
 * - `-full`: `npm run prove` without `--quick`, suites that take minutes or need the languages of docs/samples.
 * - `containers`: `npm run test:containers`, the image and compose.yaml in a container engine.
 *
 * A journey that `prove/promises.json` lists is of the tier `-prove`, any other journey of the second.
 */
const allSuites = globSync('{src,test}/**/*.test.ts');

/** Suites that start PostgreSQL, Redis or nginx, by what they take from the support of tests. */
const engineSupport =
  /support\/(?:open-redis|redis-server|postgresql-server|shared-engines)\.ts|find(?:Postgresql|Redis|Nginx)\b/;
/** Suites that use a database; each takes it from the support of tests. */
const databaseSupport =
  /(?:emporary|make)Database|\/(?:first-database|open-authenticator|open-flusher|open-watch|stored-keys|stored-webhooks)\.ts/;

/**
 * Suites that replace the timers of their process. The HTTP client undici keeps one timer for a whole process; if that is
 * a replaced one, its deadlines never end in later suites of the process.
 */
const replacedTimers =
  /useFakeTimers|openDispatcher|support\/(?:driver-timers|open-flusher|scripted-service)\.ts/;

const suitesThatImport = (support: RegExp, folders: string): string[] =>
  globSync(`${folders}/**/*.test.ts`).filter((file) => support.test(readFileSync(file, 'utf8')));

const provenOn = (engine: 'sqlite' | 'postgresql'): string[] =>
  Object.values(promises)
    .flatMap((promised) => promised[engine] ?? [])
    .filter((file) => /^test\/(?:journeys|faults|fuzz|simulation|defects|prove)\//.test(file));

const containerSuites = 'test/containers/**/*.test.ts';
const consoleSuites = 'test/console/**/*.test.ts';
const proofSuites = [
  'test/{faults,fuzz,simulation,defects,prove}/**/*.test.ts',
  ...provenOn('sqlite'),
];
/** Suites of a full run of the promises only. */
const fullSuites = [
  'test/samples/{follow,samples}.test.ts',
  // Installs another Node.
  'test/package/installs.test.ts',
  'test/walkthrough/{ahead,checkout}.test.ts',
  'test/journeys/{quota-durability,upgrade-back,upgrade-replicas}.test.ts',
];
/** Journeys that are only about PostgreSQL. */
const postgresqlJourneys = 'test/journeys/pg-*.test.ts';
const engineSuites = [
  'test/{journeys,deploy,package,samples,walkthrough}/**/*.test.ts',
  ...suitesThatImport(engineSupport, '{src,test/{api,cli,client,support,vat-check}}'),
];

/** Journeys about what a database promises to several processes: on both engines. */
const sharedJourneys =
  'test/journeys/{replicas,secret-rotation,stored-check*,webhook-{events,processes,retries},withdrawn-versions}.test.ts';

const isolatedSuites = suitesThatImport(replacedTimers, '{src,test}');
const laterSuites = [
  consoleSuites,
  containerSuites,
  ...proofSuites,
  ...engineSuites,
  ...fullSuites,
];
const sqlite = project('sqlite', allSuites, {
  exclude: [...laterSuites, ...isolatedSuites],
  // A process runs many suites: loading the modules again for each of them took half of the time.
  isolate: false,
});
const sqliteIsolated = project('sqlite-isolated', isolatedSuites, { exclude: laterSuites });

const sqliteEngines = project('sqlite-engines', engineSuites, {
  exclude: [...proofSuites, ...fullSuites, postgresqlJourneys],
});

const sqliteProve = project('sqlite-prove', proofSuites, { exclude: fullSuites });

const sqliteFull = project('sqlite-full', fullSuites);

const consoleEngines = project('console-engines', [consoleSuites], {
  globalSetup: 'test/support/console-build.ts',
  // A process runs many suites with one browser and one service (`test/console/support/browser.ts`).
  isolate: false,
});

const containers = project('containers', [containerSuites], {
  globalSetup: 'test/containers/support/engine-project.ts',
  // One engine; and the tests of load need a core for themselves.
  fileParallelism: false,
  // Builds of images, and containers that start after each other.
  testTimeout: 180_000,
});

const onPostgresql = { globalSetup: 'test/support/postgresql-project.ts' };
const notOfEngines = ['src/platform/database/sqlite.test.ts', ...provenOn('postgresql')];
const ofDatabase = suitesThatImport(databaseSupport, 'src').filter(
  (file) => !notOfEngines.includes(file),
);
/** Suites beside the code; without isolation they take a third of the time, as those of `sqlite`. */
const postgresqlShared = project('postgresql-shared-engines', ofDatabase, {
  ...onPostgresql,
  exclude: isolatedSuites,
  isolate: false,
});
const postgresqlEngines = project(
  'postgresql-engines',
  [
    ...ofDatabase.filter((file) => isolatedSuites.includes(file)),
    'test/cli/{copy,copy-events,copy-evidence,copy-half-way,copy-refusals,doctor-database}.test.ts',
    // Shows that a check leaves nothing in the database; the other suites of checks do not query it.
    'test/vat-check/privacy.test.ts',
    postgresqlJourneys,
    sharedJourneys,
  ],
  { ...onPostgresql, exclude: notOfEngines },
);

const postgresqlProve = project('postgresql-prove', provenOn('postgresql'), onPostgresql);

function project(
  name: string,
  include: string[],
  settings: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  return { extends: true, test: { name, include, ...settings } };
}

export default defineConfig({
  test: {
    // Deadlines, not measurements: a test that takes 3 s alone took 70 s on two cores with a load of 45.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    globalSetup: 'test/support/migrated-file.ts',
    // Suites mostly wait for something: more workers than cores end sooner.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // A deadline for conditions, not a measurement: machines are shared and noisy.
    expect: { poll: { timeout: 10_000 } },
    // If PostgreSQL is not installed its projects are left out; `programs.test.ts` reports it.
    projects: [
      sqlite,
      sqliteIsolated,
      sqliteEngines,
      sqliteProve,
      sqliteFull,
      consoleEngines,
      containers,
      ...(findPostgresql() === undefined
        ? []
        : [postgresqlEngines, postgresqlShared, postgresqlProve]),
    ],
  },
});
