import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatApiKey } from '../src/access/api-key.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { sha256 } from '../src/platform/digest.ts';
import { measureThroughput, serverCore } from './load.ts';
import {
  readMemoryMb,
  type Result,
  runCommand,
  startProgram,
  startServe,
  temporaryFolder,
} from './measure.ts';

const sizes = [1, 1_000, 100_000];

/**
 * P11: does a request cost more when it comes from one of 100,000 keys?
 *
 * One `serve` whose database has them all; wrk takes its key at random from the first one, the first
 * thousand, or all, in turn. Each request is charged, so with many keys some 10,000 rows of use are written
 * every second beside the answers; that is the worst case, and part of the question.
 */
export async function measureManyKeys(rounds: number, seconds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  const sandboxArgs = ['bin/vatfx.js', 'sandbox', '--port', '0'];
  await using sandbox = await startProgram(sandboxArgs, {}, /ECB_URL=(\S+)/);
  const environment = {
    DATABASE_URL: `file:${join(folder.path, 'vatfx.db')}`,
    ECB_URL: sandbox.match[1] ?? '',
    JOBS: 'off',
  };
  runCommand(['jobs', 'run', 'fx'], environment);
  const keys = await insertKeys(environment.DATABASE_URL, Math.max(...sizes));
  const logFile = join(folder.path, 'access.log');
  await using serve = await startServe(
    { ...environment, LOG_LEVEL: 'warn' },
    { core: serverCore, logFile },
  );
  const scripts = new Map(sizes.map((n) => [n, writeScript(folder.path, keys.slice(0, n))]));
  const measure = async (size: number, forSeconds = seconds): Promise<number> =>
    measureThroughput(`${serve.apiUrl}/fx`, ['-s', scripts.get(size) ?? ''], forSeconds);

  // Long enough that nearly every key has been seen.
  for (const size of sizes) await measure(size, size < 10_000 ? 2 : 15);
  const rates = new Map<number, number[]>(sizes.map((size) => [size, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const size of sizes) rates.get(size)?.push(await measure(size));
  }
  const one = rates.get(1) ?? [];
  return [
    { name: 'P11 one key', rounds: one, unit: 'req/s', goal: '—' },
    ...sizes.slice(1).map((size) => ({
      name: `P11 ${size} keys`,
      rounds: (rates.get(size) ?? []).map((rate, round) => rate / (one[round] ?? Number.NaN)),
      unit: '× one key',
      goal: '≥ 0.90',
    })),
    {
      name: `P11 memory with ${Math.max(...sizes)} keys seen`,
      rounds: [readMemoryMb(serve)],
      unit: 'MB',
      goal: '≤ 400',
    },
  ];
}

/** Makes keys without end, as `keys create` would, but in one transaction. */
async function insertKeys(url: string, count: number): Promise<readonly string[]> {
  const db = await openDatabase(url);
  const at = new Date().toISOString();
  const keys = Array.from({ length: count }, () => formatApiKey(randomBytes(32)));
  await db.transaction().execute(async (tx) => {
    for (const [index, key] of keys.entries()) {
      const id = `key_${index.toString(16).padStart(16, '0')}`;
      const row = { id, name: `bench ${index}`, rate_limit: '1000000000', quota: '1000000000' };
      await tx
        .insertInto('api_keys')
        .values({ ...row, created_at: at, expires_at: null, revoked_at: null })
        .execute();
      const secret = { secret_hash: sha256(key), key_id: id, created_at: at };
      await tx
        .insertInto('key_secrets')
        .values({ ...secret, ends_at: null, last_used_at: null })
        .execute();
    }
  });
  await db.destroy();
  return keys;
}

/** A script for wrk that gives each request one of the keys, at random. */
function writeScript(folder: string, keys: readonly string[]): string {
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
