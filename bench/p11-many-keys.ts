import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { insertKeys, openUntilScopeEnds } from './database-contents.ts';
import { type Engine, fillDatabase, startApi, startEngines } from './engines.ts';
import { goals } from './goals.ts';
import { measureThroughput, requestOnce, serverCore, withKey } from './load.ts';
import { readMemoryMb, type Result, temporaryFolder } from './measure.ts';
import { divide, measureInTurn } from './rounds.ts';

/** Ten keys instead of one, because a connection remembers its last key, which would make it faster. */
const keySizes = [10, 1_000, 100_000] as const;
const checkSizes = [10, 1_000, 100_000] as const;

/**
 * P11: the cost of a request with 100,000 keys and 100,000 cached checks.
 *
 * One `serve` has all of them, with its access log on. `/fx` is requested with a random key of the first ten, the
 * first thousand, or all, in turn. Each request is charged, which is the worst case. The goal is for a thousand keys;
 * the figure for all keys is shown as well. Then random cached checks are requested. Memory is that of the whole
 * process after all of this. Keys are measured on PostgreSQL too.
 */
export async function measureManyKeys(rounds: number, seconds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using engines = await startEngines(folder.path);
  const logFile = join(folder.path, 'access.log');
  const results: Result[] = [];
  for (const engine of [engines.sqlite, engines.postgresql]) {
    const { settings, name } = engine;
    await fillDatabase(engine);
    const keys = await addKeys(engine);
    const most = checkSizes.at(-1) ?? 0;
    const checks = engine === engines.sqlite ? most : 0;
    const program = ['bench/filled-serve.ts', `${checks}`];
    const how = { core: serverCore, logFile, program };
    await using serve = await startApi({ name, settings }, how);
    await untilFilled(logFile);
    const subject = { apiUrl: serve.apiUrl, keys, logFile, folder: folder.path };
    const atStartMb = readMemoryMb(serve);
    results.push(...(await measureKeys(subject, name, { rounds, seconds })));
    if (checks === 0) continue;
    results.push(...(await measureChecks(subject, { rounds, seconds })));
    const memory = (when: string, mb: number, goal: string): Result => ({
      name: `P11 memory, ${checks} checks and ${keys.length} keys, ${when}`,
      rounds: [mb],
      unit: 'MB',
      goal,
    });
    results.push(memory('before the first request', atStartMb, '—'));
    results.push(memory('after all of this', readMemoryMb(serve), goals.P11.memory));
  }
  return results;
}

type Subject = {
  readonly apiUrl: string;
  readonly keys: readonly string[];
  readonly logFile: string;
  readonly folder: string;
};

async function addKeys({ settings }: Engine): Promise<readonly string[]> {
  await using database = await openUntilScopeEnds(settings['DATABASE_URL'] ?? '');
  return await insertKeys(database.db, keySizes.at(-1) ?? 0);
}

async function untilFilled(logFile: string): Promise<void> {
  while (!/^filled$/m.test(readFileSync(logFile, 'utf8'))) await sleep(100);
}

async function measureKeys(
  { apiUrl, keys, logFile, folder }: Subject,
  engine: string,
  how: { readonly rounds: number; readonly seconds: number },
): Promise<Result[]> {
  // The growth is measured on one engine only.
  const sizes = engine === 'SQLite' ? keySizes : keySizes.slice(0, 2);
  const competitors = Object.fromEntries(
    sizes.map((size) => [
      size,
      { url: `${apiUrl}/fx`, args: ['-s', writeKeyScript(folder, keys.slice(0, size))] },
    ]),
  );
  // Long enough that nearly all keys are used.
  const { url = '', args = [] } = competitors[sizes.at(-1) ?? 0] ?? {};
  await measureThroughput(url, args, 10);
  const found = await measureInTurn(competitors, { ...how, logFile });
  return toResults(found, sizes, { title: `P11 ${engine}`, of: 'keys', goalMax: 1_000 });
}

async function measureChecks(
  { apiUrl, keys, logFile, folder }: Subject,
  how: { readonly rounds: number; readonly seconds: number },
): Promise<Result[]> {
  const [key = ''] = keys;
  const last = `${apiUrl}/vatcheck/FR/${10_000_000_000 + (checkSizes.at(-1) ?? 0) - 1}`;
  const { body } = await requestOnce(last, { authorization: `Bearer ${key}` }, 200);
  if (!body.includes('ENTREPRISE')) throw new Error(`not from the cache: ${body}`);
  const competitors = Object.fromEntries(
    checkSizes.map((size) => {
      const args = [...withKey(key), '-s', writeCheckScript(folder, { key, size })];
      return [size, { url: apiUrl, args }];
    }),
  );
  const found = await measureInTurn(competitors, { ...how, logFile });
  return toResults(found, checkSizes, { title: 'P11', of: 'cached checks', goalMax: 100_000 });
}

function toResults(
  found: Readonly<Record<string, number[]>>,
  [few = 0, ...sizes]: readonly number[],
  { title, of, goalMax }: { readonly title: string; readonly of: string; readonly goalMax: number },
): Result[] {
  const base = found[few] ?? [];
  return [
    { name: `${title}, ${few} ${of}`, rounds: base, unit: 'req/s', goal: '—' },
    ...sizes.map((size) => ({
      name: `${title}, ${size} ${of}`,
      rounds: divide(found[size] ?? [], base),
      unit: `× ${few} ${of}`,
      goal: size <= goalMax ? goals.P11.ofTenKeys : '—',
    })),
  ];
}

/** A script for wrk that sends each request with a random key. */
function writeKeyScript(folder: string, keys: readonly string[]): string {
  const [keyFile, scriptFile] = [`keys-${keys.length}`, `keys-${keys.length}.lua`].map((name) =>
    join(folder, name),
  ) as [string, string];
  writeFileSync(keyFile, `${keys.join('\n')}\n`);
  writeFileSync(
    scriptFile,
    `local requests = {}
function init()
  for key in io.lines(${JSON.stringify(keyFile)}) do
    requests[#requests + 1] = wrk.format("GET", nil, { Authorization = "Bearer " .. key })
  end
end
function request()
  return requests[math.random(#requests)]
end
`,
  );
  return scriptFile;
}

/**
 * A script for wrk that requests random checks.
 *
 * Each request is formatted when it is sent, so that it costs wrk the same for each number of checks.
 */
function writeCheckScript(
  folder: string,
  { key, size }: { readonly key: string; readonly size: number },
): string {
  const file = join(folder, `checks-${size}.lua`);
  writeFileSync(
    file,
    `local head = " HTTP/1.1\\r\\nHost: localhost\\r\\nAuthorization: Bearer ${key}\\r\\n\\r\\n"
function request()
  return "GET /vatcheck/FR/" .. string.format("%d", 9999999999 + math.random(${size})) .. head
end
`,
  );
  return file;
}
