import { join } from 'node:path';
import { Agent, request } from 'undici';
import { addDays, isoDate } from '../src/platform/time/time.ts';
import { cpuReader } from './cpu.ts';
import { listFxDates, openUntilScopeEnds } from './database-contents.ts';
import { type Engine, fillDatabase, startApi, startEngines } from './engines.ts';
import { goals } from './goals.ts';
import { serverCore, withKey } from './load.ts';
import { type Result, temporaryFolder } from './measure.ts';
import { createKey } from './p3-cached-check.ts';
import { divide, measureInTurn } from './rounds.ts';

/** Parts into which all paths of a kind are divided: one for warming up, one for each round. */
const partsMin = 4;

/**
 * P18: the cost of the exchange rate that a law means, compared with that of `/fx/<date>`.
 *
 * From memory: throughput of one path of each kind. Cold: the CPU time of the server, and of the PostgreSQL processes that
 * serve it, for a request that is not in memory. Every path of 27 years is requested once, a part of them in each
 * round: all stored dates, all calendar days as tax points, and all quarters and months.
 */
export async function measureFxByLaw(rounds: number, seconds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using engines = await startEngines(folder.path);
  const results: Result[] = [];
  for (const engine of [engines.sqlite, engines.postgresql]) {
    await fillDatabase(engine);
    results.push(...(await measureEngine(engine, folder.path, { rounds, seconds })));
  }
  return results;
}

async function measureEngine(
  engine: Engine,
  folder: string,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<Result[]> {
  const url = engine.settings['DATABASE_URL'] ?? '';
  await using database = await openUntilScopeEnds(url);
  const dates = (await listFxDates(database.db)).toReversed();
  const key = createKey(engine.settings);
  const logFile = join(folder, 'serve.log');
  await using serve = await startApi(engine, { core: serverCore, logFile });
  const { apiUrl } = serve;
  const readCpuMs = cpuReader(serve, url.startsWith('file:') ? undefined : database.db);
  await using running = new AsyncDisposableStack();
  const dispatcher = new Agent({ connections: 1 });
  running.defer(async () => dispatcher.close());
  const headers = { authorization: `Bearer ${key}` };

  const kinds = pathsOf(dates);
  const costs: Record<string, number[]> = {};
  const parts = Math.max(partsMin, rounds + 1);
  for (let round = 0; round < parts; round += 1) {
    for (const [kind, paths] of Object.entries(kinds)) {
      // Every so many paths, so that each part has all years. None is requested twice: it would be in memory then.
      const part = paths.filter((_, at) => at % parts === round);
      const before = await readCpuMs();
      for (const path of part) {
        const { statusCode, body } = await request(apiUrl + path, { dispatcher, headers });
        await body.dump();
        if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
      }
      const cost = ((await readCpuMs()) - before) / part.length;
      if (round > 0) (costs[kind] ??= []).push(cost * 1_000);
    }
  }

  const one = Object.entries(kinds).map(([kind, paths]) => [kind, paths.at(-1) ?? ''] as const);
  const competitors = one.map(([kind, path]) => [kind, { url: apiUrl + path, args: withKey(key) }]);
  const found = await measureInTurn(
    Object.fromEntries(competitors) as Record<string, { url: string; args: readonly string[] }>,
    { rounds, seconds, logFile },
  );
  return [
    ...compare(found, {
      title: `P18 ${engine.name}, from memory`,
      unit: 'req/s',
      goal: goals.P18.fromMemory,
    }),
    ...compare(costs, {
      title: `P18 ${engine.name}, cold, CPU`,
      unit: 'µs a request',
      goal: goals.P18.cold,
    }),
  ];
}

const base = '/fx/<date>';

/** The figures of `/fx/<date>`, and those of the other kinds divided by them. */
function compare(
  figures: Readonly<Record<string, readonly number[]>>,
  { title, unit, goal }: { readonly title: string; readonly unit: string; readonly goal: string },
): Result[] {
  return Object.entries(figures).map(([kind, rounds]) =>
    kind === base
      ? { name: `${title}, ${kind}`, rounds, unit, goal: '—' }
      : {
          name: `${title}, ${kind}`,
          rounds: divide(rounds, figures[base] ?? []),
          unit: `× ${base}`,
          goal,
        },
  );
}

/** All paths of each kind that are answered with the publications of these dates, which are the oldest first. */
function pathsOf(dates: readonly string[]): Record<string, readonly string[]> {
  const newest = isoDate(dates.at(-1) ?? '');
  const days: string[] = [];
  for (let day = isoDate(dates[0] ?? ''); day <= newest; day = addDays(day, 1)) days.push(day);
  // A month that ends before the newest publication is decided; the first month has no Wednesday before it.
  const months = [...new Set(days.map((day) => day.slice(0, 7)))].slice(1, -1);
  const quarters = months
    .filter((month) => Number(month.slice(5)) % 3 === 0)
    .map((month) => `/fx/oss/${month.slice(0, 4)}-Q${Number(month.slice(5)) / 3}`);
  return {
    [base]: dates.map((date) => `/fx/${date}`),
    '/fx/vat/<day>': days.map((day) => `/fx/vat/${day}`),
    '/fx/vat/<instant>': days.slice(1).map((day) => `/fx/vat/${day}T09:00:00+01:00`),
    '/fx/vat/<day>?country=PL': days.slice(1).map((day) => `/fx/vat/${day}?country=PL`),
    '/fx/oss, /fx/ioss, /fx/customs': [
      ...months.map((month) => `/fx/customs/${month}`),
      ...months.map((month) => `/fx/ioss/${month}`),
      ...quarters,
    ],
  };
}
