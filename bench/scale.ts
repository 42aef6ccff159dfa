import { join } from 'node:path';
import { sql } from 'kysely';
import type { Db } from '../src/platform/database/database.ts';
import { cpuReader } from './cpu.ts';
import { insertKeys, insertStoredChecks, openUntilScopeEnds } from './database-contents.ts';
import { type Engine, fillDatabase, startApi, startEngines } from './engines.ts';
import { serverCore } from './load.ts';
import { type Child, readMemoryMb, type Result, startProgram, temporaryFolder } from './measure.ts';
import { createKey } from './p3-cached-check.ts';
import { copyEvidence, insertEvents, insertUse, insertWatches } from './scale-contents.ts';
import { measurePasses } from './scale-passes.ts';
import { printGrowth, readSizes, type Sizes } from './scale-sizes.ts';

/** The last size has all keys of docs/scaling.md, half of its watches, and a twentieth of its stored checks. */
const sizes = [
  { keys: 1_000, watches: 5_000, checks: 5_000 },
  { keys: 3_000, watches: 15_000, checks: 15_000 },
  { keys: 10_000, watches: 50_000, checks: 50_000 },
];
const requests = 100;
const warmUp = 50;

type Figures = Readonly<Record<string, number>>;

/**
 * SCALE: the growth of a database with keys, watches and stored checks, at three sizes.
 *
 * It measures bytes of tables and indexes, and CPU time of operations, that of PostgreSQL included. Both depend little on
 * other work of the machine, so that there is one round.
 */
export async function measureScale(name: 'sqlite' | 'postgresql'): Promise<Result[]> {
  using folder = temporaryFolder();
  await using engines = await startEngines(folder.path);
  const sandboxArgs = ['bin/vatfx.js', 'sandbox', '--port', '0'];
  await using sandbox = await startProgram(sandboxArgs, {}, /VIES_URL=(\S+)/);
  const viesUrl = sandbox.match[1] ?? '';
  return await measureEngine(engines[name], { viesUrl, logFile: join(folder.path, 'serve.log') });
}

type How = { readonly viesUrl: string; readonly logFile: string };

async function measureEngine(engine: Engine, how: How): Promise<Result[]> {
  const isEmbedded = engine.name === 'SQLite';
  await fillDatabase(engine);
  const key = createKey(engine.settings);
  // The first check, whose evidence and event the others get as well.
  await withServe(engine, how, async ({ apiUrl }) => post({ apiUrl, key }, 0));

  await using database = await openUntilScopeEnds(engine.settings['DATABASE_URL'] ?? '');
  const { db } = database;
  const { id: keyId } = await db.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
  const results: Result[] = [];
  const measured: Sizes[] = [];
  let before = { keys: 0, watches: 0, checks: 0 };
  for (const size of sizes) {
    await insertKeys(db, size.keys - before.keys, before.keys);
    await insertUse(db);
    await insertWatches(db, { keyId, from: before.watches, to: size.watches });
    await insertStoredChecks(db, { keyId, ended: size.checks - before.checks, pending: 0 });
    await copyEvidence(db);
    await insertEvents(db);
    // Autovacuum does it within about a minute. Without statistics PostgreSQL sorts all checks of the key for a list.
    if (!isEmbedded) await sql`analyze`.execute(db);
    before = size;
    measured.push(await readSizes(db));
    const figures = {
      ...(await withServe(engine, how, async (serve) =>
        measureServe(serve, { key, db: isEmbedded ? undefined : db }),
      )),
      ...(isEmbedded ? await measurePasses(db) : {}),
    };
    for (const [what, figure] of Object.entries(figures)) {
      const [name = '', unit = ''] = what.split(', ');
      const title = `SCALE ${engine.name}, ${size.checks} checks, ${size.keys} keys: ${name}`;
      results.push({ name: title, rounds: [figure], unit, goal: '—' });
    }
  }
  return [...printGrowth(engine.name, measured), ...results];
}

async function withServe<T>(
  engine: Engine,
  { viesUrl, logFile }: How,
  measure: (serve: Serve) => Promise<T>,
): Promise<T> {
  const unlimited = { RATE_LIMIT_PER_MINUTE: 'none', QUOTA_PER_MONTH: 'none' };
  const environment = { ...unlimited, VIES_URL: viesUrl };
  await using serve = await startApi(engine, { core: serverCore, logFile, environment });
  return await measure(serve);
}

type Serve = Child & { readonly apiUrl: string };

/** CPU time of a start and of requests that come one after the other, and memory. */
async function measureServe(
  serve: Serve,
  { key, db }: { readonly key: string; readonly db: Db | undefined },
): Promise<Figures> {
  const { apiUrl } = serve;
  const startMs = await cpuReader(serve, undefined)();
  const readCpuMs = cpuReader(serve, db);
  const measure = async (send: (n: number) => Promise<void>): Promise<number> => {
    for (let n = 0; n < warmUp; n += 1) await send(n);
    const beforeMs = await readCpuMs();
    for (let n = warmUp; n < warmUp + requests; n += 1) await send(n);
    return ((await readCpuMs()) - beforeMs) / requests;
  };
  return {
    'start until alive, ms CPU': startMs,
    'POST of a check, ms CPU': await measure(async (n) => post({ apiUrl, key }, n)),
    'first page of the list, ms CPU': await measure(async () => read({ apiUrl, key })),
    'memory, MB': readMemoryMb(serve),
  };
}

type Caller = { readonly apiUrl: string; readonly key: string };

/** Creates a check with a requester and waits for its answer. */
async function post({ apiUrl, key }: Caller, n: number): Promise<void> {
  const requester = { countryCode: 'NL', vatNumber: '999999901B01' };
  const check = { countryCode: 'FR', vatNumber: `${30_000_000_000 + n}`, requester };
  const response = await fetch(`${apiUrl}/vatchecks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(check),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`HTTP ${response.status}: ${text}`);
}

async function read({ apiUrl, key }: Caller): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${apiUrl}/vatchecks`, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${text}`);
}
