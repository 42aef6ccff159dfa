import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allDays, insertPastRates, listFxDates, openUntilScopeEnds } from './database-contents.ts';
import { type Engine, fillDatabase, startApi, startEngines } from './engines.ts';
import { goals } from './goals.ts';
import { requestOnce, serverCore, withKey } from './load.ts';
import { type Result, temporaryFolder } from './measure.ts';
import { createKey } from './p3-cached-check.ts';
import { divide, measureInTurn } from './rounds.ts';
import { startBare } from './yardsticks.ts';

/** The ranges of requested dates, in years; the goal is set for the longest one. */
const years = [3, 9, 27];

/**
 * P5: the cost of a dated snapshot that is not in memory.
 *
 * Random stored dates of the last 3, 9 and 27 years are requested with the access log on, compared with a bare server
 * that always writes one body of the mean size. Rates and exchange rates, which have the longest history, are measured on
 * both engines.
 */
export async function measureDated(rounds: number, seconds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using engines = await startEngines(folder.path);
  const results: Result[] = [];
  for (const engine of [engines.sqlite, engines.postgresql]) {
    await fillDatabase(engine);
    const key = createKey(engine.settings);
    const dates = await addPast(engine);
    const logFile = join(folder.path, 'access.log');
    await using serve = await startApi(engine, { core: serverCore, logFile });
    // The growth is measured on one engine only.
    const spans = engine === engines.sqlite ? years : years.slice(-1);
    for (const kind of ['rates', 'fx'] as const) {
      const paths = dates[kind].map((date) => `/${kind}/${date}`);
      const subject = { apiUrl: serve.apiUrl, key, paths, spans, logFile, folder: folder.path };
      const found = await measureYears(subject, { rounds, seconds });
      const title = `P5 /${kind}/<date>, ${engine.name}`;
      results.push(
        { name: `${title}, bare server`, rounds: found.bare ?? [], unit: 'req/s', goal: '—' },
        ...spans.map((span) => ({
          name: `${title}, ${span} years`,
          rounds: divide(found[span] ?? [], found.bare ?? []),
          unit: '× bare',
          goal: span === Math.max(...years) ? goals.P5[kind] : '—',
        })),
      );
    }
  }
  return results;
}

/** A snapshot of VAT rates is larger than one of exchange rates. */

/** The snapshots of all days, and the publications of exchange rates; both the newest first. */
async function addPast({ settings }: Engine): Promise<Record<'rates' | 'fx', readonly string[]>> {
  await using database = await openUntilScopeEnds(settings['DATABASE_URL'] ?? '');
  return {
    rates: await insertPastRates(database.db, allDays),
    fx: await listFxDates(database.db),
  };
}

/** Throughput by how many years are requested for, and of the bare server. */
async function measureYears(
  subject: {
    readonly apiUrl: string;
    readonly key: string;
    readonly paths: readonly string[];
    readonly spans: readonly number[];
    readonly logFile: string;
    readonly folder: string;
  },
  how: { readonly rounds: number; readonly seconds: number },
): Promise<Record<string, number[]>> {
  const { apiUrl, key, paths, spans, logFile, folder } = subject;
  // Bodies differ in size, because the number of currencies has changed over the years.
  const bodies: string[] = [];
  for (let at = 0; at < paths.length; at += Math.floor(paths.length / 40)) {
    const answer = await requestOnce(apiUrl + paths[at], { authorization: `Bearer ${key}` }, 200);
    bodies.push(answer.body);
  }
  const meanSize = Math.round(bodies.join('').length / bodies.length);
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const body = 'x'.repeat(meanSize);
  await using bareServer = await startBare(folder, { status: 200, headers, body });

  const argsOf = (span: number): readonly string[] => {
    const requested = paths.slice(0, Math.ceil((paths.length * span) / Math.max(...years)));
    return [...withKey(key), '-s', writeScript(folder, `${span}`, requested)];
  };
  const ours = spans.map((span) => [span, { url: apiUrl, args: argsOf(span) }] as const);
  const bare = { url: bareServer.url, args: argsOf(Math.max(...years)) };
  return await measureInTurn({ bare, ...Object.fromEntries(ours) }, { ...how, logFile });
}

/** Writes a script for wrk that requests the paths at random. It prepares all requests before the measurement. */
function writeScript(folder: string, name: string, paths: readonly string[]): string {
  const [list, script] = [join(folder, name), join(folder, `${name}.lua`)];
  writeFileSync(list, `${paths.join('\n')}\n`);
  writeFileSync(
    script,
    `local requests = {}
function init()
  math.randomseed(7)
  for path in io.lines(${JSON.stringify(list)}) do
    requests[#requests + 1] = wrk.format("GET", path)
  end
end
function request()
  return requests[math.random(#requests)]
end
`,
  );
  return script;
}
