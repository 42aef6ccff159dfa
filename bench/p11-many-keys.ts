import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { insertKeys, openWith } from './database-contents.ts';
import { type Engine, fill, startAnswering, startEngines } from './engines.ts';
import { measureThroughput, probe, serverCore, withKey } from './load.ts';
import { readMemoryMb, type Result, temporaryFolder } from './measure.ts';
import { divide, measureInTurn } from './rounds.ts';

/** Ten and not one: a connection that asks the same again and again is quicker for another reason. */
const keySizes = [10, 1_000, 100_000] as const;
const checkSizes = [10, 1_000, 100_000] as const;

/**
 * P11: does a request cost more when there are 100,000 keys and 100,000 cached checks?
 *
 * One `serve` that has them all, access log on. `/fx` with a key at random from the first ten, the first
 * thousand, or all, in turn: each is charged, which is the worst case. A thousand keys at the same time have a goal; all
 * of them are shown beside it. Then cached checks, at random as well. Memory is the whole of the process, after all
 * of this. Keys on PostgreSQL too.
 */
export async function measureManyKeys(rounds: number, seconds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using engines = await startEngines(folder.path);
  const logFile = join(folder.path, 'access.log');
  const results: Result[] = [];
  for (const engine of [engines.sqlite, engines.postgresql]) {
    const { settings, name } = engine;
    await fill(engine);
    const keys = await addKeys(engine);
    const most = checkSizes.at(-1) ?? 0;
    const checks = engine === engines.sqlite ? most : 0;
    const program = ['bench/filled-serve.ts', `${checks}`];
    const how = { core: serverCore, logFile, program };
    await using serve = await startAnswering({ name, settings }, how);
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
    results.push(memory('after all of this', readMemoryMb(serve), '≤ 300'));
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
  await using database = await openWith(settings['DATABASE_URL'] ?? '');
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
  // How it grows is shown with one store.
  const sizes = engine === 'SQLite' ? keySizes : keySizes.slice(0, 2);
  const competitors = Object.fromEntries(
    sizes.map((size) => [
      size,
      { url: `${apiUrl}/fx`, args: ['-s', writeKeyScript(folder, keys.slice(0, size))] },
    ]),
  );
  // Long enough that nearly every key has been seen.
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
  const { body } = await probe(last, { authorization: `Bearer ${key}` }, 200);
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
      goal: size <= goalMax ? '≥ 0.85' : '—',
    })),
  ];
}

/** A script for wrk that gives each request one of the keys, at random. */
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
 * A script for wrk that asks for one of the checks, at random.
 *
 * Each request is printed when it is sent, whatever the size, so that all sizes cost wrk the same.
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
