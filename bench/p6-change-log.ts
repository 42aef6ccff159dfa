import { join } from 'node:path';
import { sql } from 'kysely';
import { Agent, request } from 'undici';
import type { Db } from '../src/platform/database/database.ts';
import { addDays, isoDate } from '../src/platform/time/time.ts';
import type { RateChange } from '../src/rates/diff.ts';
import { insertChanges } from '../src/rates/store.ts';
import { cpuReader } from './cpu.ts';
import { openUntilScopeEnds } from './database-contents.ts';
import { type Engine, startApi, startEngines } from './engines.ts';
import { goals } from './goals.ts';
import { serverCore } from './load.ts';
import { quantile, type Result, temporaryFolder } from './measure.ts';
import { createKey } from './p3-cached-check.ts';
import { divide } from './rounds.ts';

const sizes = [1_000, 30_000, 1_000_000];
const requestsPerRound = 600;
/**
 * Few countries, so that even the smallest log has 200 rows of each. The same request then has the same answer in each
 * log, and only the size of the log differs.
 */
const countries = ['DE', 'FR', 'HU', 'IE', 'MT'];
const rowsPerDay = 2 * countries.length;
const newest = isoDate('2026-11-20');

/** The figures of one round with one log. */
type Round = { readonly waitsMs: readonly number[]; readonly cpuMs: number };

/** A running service with its change log. */
type Subject = {
  /** Sends a request and returns the body of the answer. */
  readonly send: (path: string) => Promise<string>;
  /** CPU time so far, of the server and of the PostgreSQL processes that serve it. */
  readonly readCpuMs: () => Promise<number>;
};

/**
 * P6: the cost of a page of changes by the length of the change log.
 *
 * Requests have random filters and dates and are sent one after the other. None is repeated, so each is read from the
 * database. Each answer must have the same bytes for all sizes of the log. Both engines are measured.
 */
export async function measureChangeLog(rounds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using engines = await startEngines(folder.path);
  const results: Result[] = [];
  for (const engine of [engines.sqlite, engines.postgresql]) {
    const found = await measureEngine(engine, folder.path, rounds);
    results.push(...describe(engine.name, found));
  }
  return results;
}

async function measureEngine(
  engine: Engine,
  folder: string,
  rounds: number,
): Promise<ReadonlyMap<number, Round[]>> {
  await using running = new AsyncDisposableStack();
  const subjects = new Map<number, Subject>();
  for (const size of sizes) {
    subjects.set(
      size,
      await startSubject(running, await makeEngine(engine, folder, size), { size, folder }),
    );
  }
  const found = new Map(sizes.map((size): [number, Round[]] => [size, []]));
  const draw = createPathSource();
  // The first round warms up.
  for (let round = -1; round < rounds; round += 1) {
    const paths = Array.from({ length: requestsPerRound }, () => draw());
    let expected: readonly string[] | undefined;
    for (const [size, subject] of subjects) {
      const { bodies, ...measured } = await sendAll(subject, paths);
      expected ??= bodies;
      const differing = paths.find((_, at) => bodies[at] !== expected?.[at]);
      if (differing !== undefined) throw new Error(`${size} rows: another answer to ${differing}`);
      if (round >= 0) found.get(size)?.push(measured);
    }
  }
  return found;
}

async function sendAll(
  { send, readCpuMs }: Subject,
  paths: readonly string[],
): Promise<Round & { readonly bodies: readonly string[] }> {
  const waitsMs: number[] = [];
  const bodies: string[] = [];
  const before = await readCpuMs();
  for (const path of paths) {
    const startedMs = performance.now();
    bodies.push(await send(path));
    waitsMs.push(performance.now() - startedMs);
  }
  return { waitsMs, cpuMs: (await readCpuMs()) - before, bodies };
}

function describe(engine: string, found: ReadonlyMap<number, Round[]>): Result[] {
  const base = (found.get(sizes[0] ?? 0) ?? []).map(({ cpuMs }) => cpuMs);
  return [...found].flatMap(([size, rounds]) => {
    const name = `P6 ${engine}, ${size} rows`;
    const isLargest = size === Math.max(...sizes);
    const waits = (share: number) => rounds.map(({ waitsMs }) => quantile(waitsMs, share));
    const costs = rounds.map(({ cpuMs }) => cpuMs);
    const own = isLargest ? goals.P6 : { p99: '—', cost: '—' };
    return [
      { name: `${name}, p50`, rounds: waits(0.5), unit: 'ms', goal: '—' },
      { name: `${name}, p99`, rounds: waits(0.99), unit: 'ms', goal: own.p99 },
      {
        name: `${name}, CPU`,
        rounds: costs.map((cpuMs) => cpuMs / requestsPerRound),
        unit: 'ms a request',
        goal: '—',
      },
      ...(size === sizes[0]
        ? []
        : [
            {
              name: `${name}, CPU against ${sizes[0]}`,
              rounds: divide(costs, base),
              unit: '×',
              goal: own.cost,
            },
          ]),
    ];
  });
}

/** Each log has its own database. */
async function makeEngine(
  { name, settings }: Engine,
  folder: string,
  size: number,
): Promise<Engine> {
  const url = settings['DATABASE_URL'] ?? '';
  if (url.startsWith('file:')) {
    return { name, settings: { ...settings, DATABASE_URL: `file:${join(folder, `${size}.db`)}` } };
  }
  await using server = await openUntilScopeEnds(url);
  await sql.raw(`create database log_${size}`).execute(server.db);
  return { name, settings: { ...settings, DATABASE_URL: url.replace(/[^/]+$/, `log_${size}`) } };
}

async function startSubject(
  running: AsyncDisposableStack,
  engine: Engine,
  { size, folder }: { readonly size: number; readonly folder: string },
): Promise<Subject> {
  const key = createKey(engine.settings);
  const { db } = running.use(await openUntilScopeEnds(engine.settings['DATABASE_URL'] ?? ''));
  await fillLog(db, size);
  const isServer = engine.settings['DATABASE_URL']?.startsWith('file:') === false;
  // Otherwise PostgreSQL would do this within a minute, during the measurement.
  if (isServer) await sql`vacuum (analyze) rate_changes`.execute(db);
  const logFile = join(folder, 'serve.log');
  const serve = running.use(await startApi(engine, { core: serverCore, logFile }));
  const dispatcher = new Agent({ connections: 1 });
  running.defer(async () => dispatcher.close());
  const headers = { authorization: `Bearer ${key}` };
  return {
    send: async (path) => {
      const response = await request(serve.apiUrl + path, { dispatcher, headers });
      const body = await response.body.text();
      if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
      return body;
    },
    readCpuMs: cpuReader(serve, isServer ? db : undefined),
  };
}

/** Writes the rows of the daily jobs of all years directly into the table, in one transaction. */
async function fillLog(db: Db, size: number): Promise<void> {
  const days = size / rowsPerDay;
  const daysAtOnce = 100;
  await db.transaction().execute(async (tx) => {
    for (let ago = days - 1; ago >= 0; ago -= daysAtOnce) {
      const portion = Array.from({ length: Math.min(daysAtOnce, ago + 1) }, (_, at) => ago - at);
      await insertChanges(tx, portion.flatMap(rowsOf));
    }
  });
}

function rowsOf(daysAgo: number): RateChange[] {
  const snapshotDate = addDays(newest, -daysAgo);
  const of = { snapshotDate, detectedAt: `${snapshotDate}T07:00:04.123Z` };
  return countries.flatMap((country) =>
    ['standard', 'reduced[0]'].map((field) => {
      const id = `rc_${snapshotDate}_${country}_${field}`;
      return { id, country, field, old: '25', new: '25.5', ...of };
    }),
  );
}

/** Makes a function that returns another path each time, in the same order in each run. */
function createPathSource(): () => string {
  let state = 7;
  // A linear congruential generator (Numerical Recipes), which is random enough for filters.
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(random() * limit);
  const [days, smallestDays] = [Math.max(...sizes) / rowsPerDay, Math.min(...sizes) / rowsPerDay];
  const draw = (): string => {
    const query = new URLSearchParams();
    if (below(6) === 0) return `/changes/${addDays(newest, -below(smallestDays))}`;
    // From a month in the future to the first day of the longest log, recent dates more often.
    if (below(2) === 0) query.set('since', addDays(newest, 30 - Math.floor(days * random() ** 4)));
    if (below(2) === 0) query.set('country', ['XX', ...countries][below(6)] ?? '');
    if (below(2) === 0) query.set('limit', `${1 + below(200)}`);
    return `/changes?${query.toString()}`;
  };
  // Answers are cached, so a repeated path would not be read from the database.
  const drawn = new Set<string>();
  return () => {
    let path = draw();
    while (drawn.has(path)) path = draw();
    drawn.add(path);
    return path;
  };
}
