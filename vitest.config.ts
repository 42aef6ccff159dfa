import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { matchesGlob } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { promises } from './prove/promises.ts';
import { patienceMs } from './test/support/eventually.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { findPostgresql, isCi } from './test/support/programs.ts';
import { isFull, isQuick, turn } from './test/support/turns.ts';

/**
 * The tests in five tiers, by the end of a project's name (CONTRIBUTING.md, Tests).
 *
 * - `sqlite` and `sqlite-isolated`: `npm test`, on SQLite, without any other program but Python and PHP for their samples.
 * - `-engines`: `npm run test:engines`, with PostgreSQL, Redis, nginx and Chromium.
 * - `-prove`: `npm run prove`, the promises of reliability that take long to show.
 * - `-full`: `npm run prove` without `--quick`, suites that take minutes or need the compilers of docs/samples.
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
export const fullSuites = [
  'test/samples/{compiled-receivers,follow,samples}.test.ts',
  // Installs another Node.
  'test/package/installs.test.ts',
  'test/walkthrough/{ahead,checkout}.test.ts',
  'test/journeys/{quota-durability,upgrade-back,upgrade-replicas}.test.ts',
];
/** Journeys that are only about PostgreSQL. */
const postgresqlJourneys = 'test/journeys/pg-*.test.ts';
const engineSuites = [
  'test/{journeys,deploy,package,walkthrough}/**/*.test.ts',
  'test/samples/reference-samples.test.ts',
  ...suitesThatImport(engineSupport, '{src,test/{api,cli,client,support,vat-check}}'),
];

/** Journeys about what a database promises to several processes: on both engines. Journeys of webhooks are in `-prove` too. */
const sharedJourneys =
  'test/journeys/{national-banks*,replicas,secret-rotation,stored-check*,withdrawn-versions}.test.ts';

/** Suites that measure the memory or the turns of their process. */
const measuringSuites = [
  'test/faults/{large-bodies,largest-texts,unread-answers}.test.ts',
  'test/fuzz/{raw,xml}.test.ts',
];
const isolatedSuites = [
  ...suitesThatImport(replacedTimers, '{src,test}'),
  ...globSync(measuringSuites),
];
const laterSuites = [
  consoleSuites,
  containerSuites,
  ...proofSuites,
  ...engineSuites,
  ...fullSuites,
];
const ofCommit = projects('sqlite', '', allSuites, { exclude: laterSuites });

/** Suites that take the files of a release: one process makes them once, in a minute. */
const releaseSuites = 'test/package/{damaged,executable,licences,package}.test.ts';

const sqliteEngines = projects('sqlite', '-engines', engineSuites, {
  exclude: [...proofSuites, ...fullSuites, postgresqlJourneys, releaseSuites],
});

/** Suites that take long or start many processes: a quick run leaves out one half, by turns. A full run has both halves. */
export const turnHalves = [
  [
    'test/fuzz/xml.test.ts',
    'test/journeys/failing-disk.test.ts',
    'test/journeys/losing-clock.test.ts',
    'test/journeys/missed-runs.test.ts',
    'test/journeys/pg-publication.test.ts',
    'test/journeys/pg-same-bytes.test.ts',
    'test/journeys/power-loss.test.ts',
    'test/journeys/secret-rotation.test.ts',
    'test/journeys/stored-checks-crash.test.ts',
    'test/journeys/webhook-crash.test.ts',
    'test/simulation/broken-builds.test.ts',
  ],
  [
    'test/fuzz/contract.test.ts',
    'test/fuzz/published.test.ts',
    'test/journeys/crash.test.ts',
    'test/journeys/event-log.test.ts',
    'test/journeys/key-changes.test.ts',
    'test/journeys/losing-database.test.ts',
    'test/journeys/redis-limits.test.ts',
    'test/journeys/replica-keys.test.ts',
    'test/journeys/rolling-restart.test.ts',
    'test/journeys/webhook-freshness.test.ts',
    'test/prove/soak.test.ts',
    'test/simulation/simulation.test.ts',
  ],
] as const;
/** The half that this revision leaves out. */
export const turnSuites: readonly string[] = turnHalves[turn % 2 === 0 ? 0 : 1];

/** Suites that show a promise on both engines: a quick run has each on one of them, by turns. */
const onBoth = provenOn('sqlite').filter((file) => provenOn('postgresql').includes(file));
const leftOutOn = (engine: 0 | 1): string[] =>
  isQuick
    ? [...turnSuites, ...onBoth.filter((_, at) => (Math.floor(turn / 2) + at) % 2 === engine)]
    : [];

const sqliteProve = projects('sqlite', '-prove', proofSuites, {
  exclude: [...fullSuites, ...leftOutOn(0)],
});

const onRelease = { globalSetup: 'test/package/support/release-project.ts' };
const sqliteFull = project('sqlite-full', fullSuites, onRelease);

const releaseEngines = project('sqlite-release-engines', [releaseSuites], {
  ...onRelease,
  // Behind the other projects: vitest runs a project with one worker apart from those with several.
  sequence: { groupOrder: 1 },
  fileParallelism: false,
  isolate: false,
});

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
const notOfEngines = ['src/platform/database/sqlite/sqlite.test.ts', ...provenOn('postgresql')];
const ofDatabase = suitesThatImport(databaseSupport, 'src')
  .filter((file) => !notOfEngines.includes(file))
  // They are about Redis, and of the tier on SQLite already.
  .filter((file) => !/\/counter-(?:outage|redis)\.test\.ts$/.test(file))
  // All of them are in `npm test` on SQLite; in CI, half of them by turns are on PostgreSQL too.
  .filter((_, at) => !isCi || isFull || (turn + at) % 2 === 0);
const postgresqlEngines = projects(
  'postgresql',
  '-engines',
  [
    ...ofDatabase,
    'test/cli/{copy,copy-events,copy-evidence,copy-half-way,copy-refusals,doctor-database,no-database,objects}.test.ts',
    postgresqlJourneys,
    sharedJourneys,
  ],
  { ...onPostgresql, exclude: notOfEngines },
);

const postgresqlProve = projects('postgresql', '-prove', provenOn('postgresql'), {
  ...onPostgresql,
  exclude: leftOutOn(1),
});

/**
 * A project in which a process runs many suites, because loading the modules again for each of them takes a second of a
 * core; and one for its suites that need a process each.
 */
function projects(
  engine: string,
  tier: string,
  include: string[],
  settings: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration[] {
  const { exclude = [] } = settings;
  const matches = (file: string, patterns: readonly string[]): boolean =>
    patterns.some((pattern) => matchesGlob(file, pattern));
  const isolated = isolatedSuites.filter(
    (file) => matches(file, include) && !matches(file, exclude),
  );
  const shared = { ...settings, exclude: [...exclude, ...isolated], isolate: false };
  return [
    project(`${engine}${tier}`, include, shared),
    ...(isolated.length === 0 ? [] : [project(`${engine}-isolated${tier}`, isolated, settings)]),
  ];
}

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
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/migrated-file.ts', 'test/support/bundle-project.ts'],
    // Suites mostly wait for a deadline or for a process that starts: more workers than cores end sooner.
    maxWorkers: 2 * availableParallelism(),
    // A deadline for conditions, not a measurement: machines are shared and noisy.
    expect: { poll: { timeout: patienceMs } },
    // If PostgreSQL is not installed its projects are left out; `programs.test.ts` reports it.
    projects: [
      ...ofCommit,
      ...sqliteEngines,
      ...sqliteProve,
      sqliteFull,
      releaseEngines,
      consoleEngines,
      containers,
      ...(findPostgresql() === undefined ? [] : [...postgresqlEngines, ...postgresqlProve]),
    ],
  },
});
