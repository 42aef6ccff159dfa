import { join } from 'node:path';
import { type Engine, fillDatabase, startApi, startEngines } from './engines.ts';
import { prepareSubject, type Subject } from './from-memory.ts';
import { goals } from './goals.ts';
import { requestOnce, serverCore, withKey } from './load.ts';
import { type Result, temporaryFolder } from './measure.ts';
import { createKey } from './p3-cached-check.ts';
import { divide, measureInTurn } from './rounds.ts';
import { startBare, startStaticNginx } from './yardsticks.ts';

/**
 * P1: the cost of an answer from memory, compared with servers that only write the same bytes.
 *
 * wrk measures `serve` with its access log off and in a file, the bare server, and nginx with a static file, in turn,
 * each alone on the same core. Then it measures `/rates` with the other engines, compared with SQLite.
 */
export async function measureFromMemory(rounds: number, seconds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using engines = await startEngines(folder.path);
  const { sqlite, postgresql, shared } = engines;
  await using subject = await prepareSubject(folder.path, sqlite);
  const bodies = new Map(subject.targets.map(({ path, body }) => [path, body]));
  await using nginx = await startStaticNginx(folder.path, bodies);

  const results: Result[] = [];
  for (const target of subject.targets) {
    results.push(...(await measureTarget(target, subject, { folder, nginx, rounds, seconds })));
  }
  await fillDatabase(postgresql);
  const compared = await compareEngines([sqlite, postgresql, shared], folder.path, rounds);
  return [...results, ...compared];
}

async function measureTarget(
  { name, path, body }: Subject['targets'][number],
  { key, quietUrl, loggingUrl, logFile }: Subject,
  how: {
    readonly folder: { readonly path: string };
    readonly nginx: { readonly url: string };
    readonly rounds: number;
    readonly seconds: number;
  },
): Promise<Result[]> {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  await using bareServer = await startBare(how.folder.path, { status: 200, headers, body });
  const competitors = {
    quiet: { url: quietUrl + path, args: withKey(key) },
    logging: { url: loggingUrl + path, args: withKey(key) },
    bare: { url: bareServer.url, args: withKey(key) },
    nginx: { url: how.nginx.url + path, args: withKey(key) },
  };
  for (const { url } of Object.values(competitors)) {
    const answer = await requestOnce(url, { authorization: `Bearer ${key}` }, 200);
    if (answer.body !== body) throw new Error(`${url} answers other bytes`);
  }
  const { quiet, logging, bare, nginx } = await measureInTurn(competitors, { ...how, logFile });
  const title = `P1 ${name}`;
  return [
    { name: `${title}, bare server`, rounds: bare, unit: 'req/s', goal: '—' },
    { name: `${title}, log off`, rounds: divide(quiet, bare), unit: '× bare', goal: '—' },
    {
      name: `${title}, log on`,
      rounds: divide(logging, bare),
      unit: '× bare',
      goal: goals.P1.ofBare,
    },
    {
      name: `${title}, log on`,
      rounds: divide(logging, nginx),
      unit: '× nginx',
      goal: goals.P1.ofNginx,
    },
  ];
}

/** `/rates` with each engine, compared with the first one. */
async function compareEngines(
  engines: readonly Engine[],
  folder: string,
  rounds: number,
): Promise<Result[]> {
  await using running = new AsyncDisposableStack();
  const logFile = join(folder, 'engines.log');
  const competitors: Record<string, { url: string; args: readonly string[] }> = {};
  for (const engine of engines) {
    const key = createKey(engine.settings);
    const serve = running.use(await startApi(engine, { core: serverCore, logFile }));
    competitors[engine.name] = { url: `${serve.apiUrl}/rates`, args: withKey(key) };
  }
  const found = await measureInTurn(competitors, { rounds, seconds: 1, logFile });
  const [base = [], ...others] = engines.map(({ name }) => found[name]);
  return others.map((rates, at) => ({
    name: `P1 /rates, ${engines[at + 1]?.name}, log on`,
    rounds: divide(rates ?? [], base),
    unit: '× SQLite',
    goal: '—',
  }));
}
