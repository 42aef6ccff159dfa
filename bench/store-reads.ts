import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fill, startAnswering, startEngines } from './engines.ts';
import { measureThroughput, serverCore, withKey } from './load.ts';
import { type Result, temporaryFolder } from './measure.ts';
import { createKey } from './p3-cached-check.ts';

/** More days than are kept in memory, asked for at random: hardly any is there. */
const uncachedScript = `
math.randomseed(7)
request = function()
  local year, month, day = math.random(1999, 2025), math.random(1, 12), math.random(1, 28)
  return wrk.format('GET', string.format('/fx/%d-%02d-%02d', year, month, day))
end
`;

/**
 * What does a read cost on PostgreSQL, and with Redis, against SQLite?
 *
 * `/rates` from memory, and random days of 27 years of exchange rates, of which most are read from the
 * database and three of ten are no publication days, which is one read more. In turn, on one core; the
 * engines and the load share the other one.
 */
export async function measureStoreReads(rounds: number, seconds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  const script = join(folder.path, 'uncached.lua');
  writeFileSync(script, uncachedScript);
  await using engines = await startEngines(folder.path);
  const { sqlite, postgresql, shared } = engines;
  await fill(sqlite);
  await fill(postgresql);
  const logFile = join(folder.path, 'serve.log');
  const rates: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const engine of [sqlite, postgresql, shared]) {
      const key = createKey(engine.settings);
      await using serve = await startAnswering(engine, { core: serverCore, logFile });
      const measure = async (kind: string, path: string, args: readonly string[]) => {
        const url = `${serve.apiUrl}${path}`;
        const wrkArgs = [...withKey(key), ...args];
        const found = await measureThroughput(url, wrkArgs, seconds, { mayFail: args.length > 0 });
        (rates[`${kind} ${engine.name}`] ??= []).push(found);
      };
      await measureThroughput(`${serve.apiUrl}/rates`, withKey(key), 1);
      await measure('cached', '/rates', []);
      await measure('uncached', '', ['-s', script]);
    }
  }
  return ['cached', 'uncached'].flatMap((kind) => {
    const [base, ...others] = [sqlite, postgresql, shared].map(({ name }) => ({
      name,
      found: rates[`${kind} ${name}`] ?? [],
    }));
    return [
      { name: `${kind} read, SQLite`, rounds: base?.found ?? [], unit: 'req/s', goal: '—' },
      ...others.map(({ name, found }) => ({
        name: `${kind} read, ${name}`,
        rounds: found.map((rate, at) => rate / (base?.found[at] ?? Number.NaN)),
        unit: '× SQLite',
        goal: '—',
      })),
    ];
  });
}
