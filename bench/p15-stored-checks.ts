import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { insertStoredChecks, openUntilScopeEnds } from './database-contents.ts';
import { type Engine, startEngines } from './engines.ts';
import { goals } from './goals.ts';
import { serverCore } from './load.ts';
import { quantile, readMemoryMb, type Result, startServe, temporaryFolder } from './measure.ts';
import { createKey } from './p3-cached-check.ts';
import { startRegistry } from './vat-registry.ts';

/** The stored checks of rule K20: most of them have ended, and a Member State has a backlog. */
const filled = { ended: 1_000_000, pending: 100_000 };
const empty = { ended: 0, pending: 0 };
const warmUp = 50;

/**
 * P15: the cost of stored checks with 1,000,000 of them, of which 100,000 more are pending in Germany (rule K20).
 *
 * All belong to the key that requests. The worker is on, and makes attempts for Germany at its usual pace meanwhile.
 * Checks of French numbers are created one after the other; from the time of each, that of the registry is subtracted. Then
 * the first page of the list is read. The same with an empty table shows what the stored checks add, memory included.
 */
export async function measureStoredChecks(requests: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using engines = await startEngines(folder.path);
  const results: Result[] = [];
  for (const engine of [engines.sqlite, engines.postgresql]) {
    const key = createKey(engine.settings);
    const how = { key, requests, folder: folder.path };
    // The first start of a version needs more memory: it compiles the code that later ones read from the cache.
    await measureEngine(engine, { ...how, ...empty, requests: 0 });
    const before = await measureEngine(engine, { ...how, ...empty });
    const after = await measureEngine(engine, { ...how, ...filled });
    const row = (what: string, rounds: number, unit: string, goal: string): Result => ({
      name: `P15 ${engine.name}, ${what}`,
      rounds: [rounds],
      unit,
      goal,
    });
    results.push(
      row('POST adds, no checks, p50', quantile(before.addedMs, 0.5), 'ms', '—'),
      row('POST adds, 1,100,000 checks, p50', quantile(after.addedMs, 0.5), 'ms', goals.P15.post),
      row('POST adds, 1,100,000 checks, p95', quantile(after.addedMs, 0.95), 'ms', goals.P15.post),
      row('first page of the list, p50', quantile(after.listMs, 0.5), 'ms', goals.P15.list),
      row('first page of the list, p95', quantile(after.listMs, 0.95), 'ms', goals.P15.list),
      row('memory of the checks', after.memoryMb - before.memoryMb, 'MB', goals.P15.memory),
    );
  }
  return results;
}

type Figures = {
  readonly addedMs: readonly number[];
  readonly listMs: readonly number[];
  readonly memoryMb: number;
};

async function measureEngine(
  { settings }: Engine,
  how: {
    readonly key: string;
    readonly requests: number;
    readonly folder: string;
    /** Checks that are added before. */
    readonly ended: number;
    readonly pending: number;
  },
): Promise<Figures> {
  const registry = await startRegistry();
  await using ending = new AsyncDisposableStack();
  ending.defer(() => registry.close());
  const nowhere = 'http://127.0.0.1:9/';
  const environment = {
    ...settings,
    VIES_URL: registry.url,
    VIES_CALLS_PER_DAY: 'none',
    TEDB_URL: nowhere,
    ECB_URL: nowhere,
    DELIVERY: 'off',
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_MINUTE: 'none',
    QUOTA_PER_MONTH: 'none',
  };
  await fill(settings['DATABASE_URL'] ?? '', how);
  const logFile = join(how.folder, 'serve.log');
  await using serve = await startServe(environment, { core: serverCore, logFile });
  const dispatcher = new Agent({ connections: 1 });
  ending.defer(async () => dispatcher.close());
  const headers = { authorization: `Bearer ${how.key}`, 'content-type': 'application/json' };
  // The worker has begun, and the start is over.
  await sleep(2_000);

  const send = async (path: string, body?: object): Promise<number> => {
    const startedMs = performance.now();
    const sent = body === undefined ? {} : { method: 'POST' as const, body: JSON.stringify(body) };
    const response = await request(serve.apiUrl + path, { dispatcher, headers, ...sent });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`HTTP ${response.statusCode}: ${text}`);
    return performance.now() - startedMs;
  };
  const addedMs: number[] = [];
  const listMs: number[] = [];
  for (let n = 0; n < how.requests + warmUp; n += 1) {
    const wanted = { countryCode: 'FR', vatNumber: `${10_000_000_000 + n}` };
    const tookMs = (await send('/vatchecks', wanted)) - registry.lastMsOf('FR');
    const listTookMs = await send('/vatchecks');
    if (n < warmUp) continue;
    addedMs.push(tookMs);
    listMs.push(listTookMs);
  }
  return { addedMs, listMs, memoryMb: readMemoryMb(serve) };
}

async function fill(url: string, checks: Parameters<typeof insertStoredChecks>[1]): Promise<void> {
  await using database = await openUntilScopeEnds(url);
  await insertStoredChecks(database.db, checks);
}
