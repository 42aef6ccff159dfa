import { join } from 'node:path';
import { type Engine, startApi, startEngines } from './engines.ts';
import { goals } from './goals.ts';
import { requestOnce, serverCore, withKey } from './load.ts';
import { type Result, runCommand, startProgram, temporaryFolder } from './measure.ts';
import { divide, measureInTurn } from './rounds.ts';
import { startBare } from './yardsticks.ts';

/**
 * P3: the cost of a VAT check that is answered from the cache.
 *
 * wrk measures `serve` with its access log off and in a file, and the bare server with the same body, in turn, each
 * alone on the same core. PostgreSQL is measured as well.
 */
export async function measureCachedCheck(rounds: number, seconds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using engines = await startEngines(folder.path);
  const sandboxArgs = ['bin/vatfx.js', 'sandbox', '--port', '0'];
  await using sandbox = await startProgram(sandboxArgs, {}, /VIES_URL=(\S+)/);
  const environment = { VIES_URL: sandbox.match[1] ?? '' };
  const logFile = join(folder.path, 'access.log');
  await using running = new AsyncDisposableStack();
  const start = async (engine: Engine, key: string, level: 'info' | 'warn') => {
    const how = { core: serverCore, logFile, level, environment };
    const { apiUrl } = running.use(await startApi(engine, how));
    const url = `${apiUrl}/vatcheck/DE/100`;
    // The first check fills the cache.
    await requestOnce(url, { authorization: `Bearer ${key}` }, 200);
    const { body } = await requestOnce(url, { authorization: `Bearer ${key}` }, 200);
    return { url, args: withKey(key), body };
  };
  const { sqlite, postgresql } = engines;
  const key = createKey(sqlite.settings);
  const quiet = await start(sqlite, key, 'warn');
  const logging = await start(sqlite, key, 'info');
  const other = await start(postgresql, createKey(postgresql.settings), 'info');
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const bare = await startBare(folder.path, { status: 200, headers, body: quiet.body });
  running.use(bare);
  if ((await requestOnce(bare.url, {}, 200)).body !== quiet.body) throw new Error('other bytes');

  const competitors = { quiet, logging, other, bare: { url: bare.url, args: withKey(key) } };
  const found = await measureInTurn(competitors, { rounds, seconds, logFile });
  const [off, on] = [divide(found.quiet, found.bare), divide(found.logging, found.bare)];
  const compared = divide(found.other, found.logging);
  return [
    { name: 'P3 bare server', rounds: found.bare, unit: 'req/s', goal: '—' },
    { name: 'P3 cached check, log off', rounds: off, unit: '× bare', goal: '—' },
    { name: 'P3 cached check, log on', rounds: on, unit: '× bare', goal: goals.P3.ofBare },
    { name: 'P3 PostgreSQL, log on', rounds: compared, unit: '× SQLite', goal: '—' },
  ];
}

/** A key without limits, made on the command line as an operator does. */
export function createKey(environment: Readonly<Record<string, string>>): string {
  const limits = ['--rate-limit', '1000000000', '--quota', '1000000000'];
  const created = runCommand(['keys', 'create', '--name', 'bench', ...limits], environment);
  return (created as { key: string }).key;
}
