import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { createKey } from './p3-cached-check.ts';
import { serverCore } from './load.ts';
import { quantile, type Result, startServe, temporaryFolder } from './measure.ts';
import { goals } from './goals.ts';
import { startRegistry } from './vat-registry.ts';

/** HMRC is asked three times a second; a check that comes earlier would wait for its turn. */
const everyMs = 340;

/**
 * P22: the time that the service adds to the time of a registry beside VIES for a check that is not cached, and that its being
 * enabled adds to a check at VIES.
 *
 * Checks at HMRC and at VIES are sent in turn at HMRC's pace, for which a processor is colder than in P7; checks at VIES one after
 * the other go in turn to a service with VIES alone and to one with HMRC and the Bundeszentralamt as well.
 */
export async function measureRegistries(rounds: number, checks: number): Promise<Result[]> {
  using folder = temporaryFolder();
  const registry = await startRegistry();
  const alone = {
    DATABASE_URL: `file:${join(folder.path, 'vatfx.db')}`,
    VIES_URL: registry.url,
    VIES_CALLS_PER_DAY: 'none',
    JOBS: 'off',
    LOG_LEVEL: 'info',
  };
  const all = {
    ...alone,
    DATABASE_URL: `file:${join(folder.path, 'all.db')}`,
    REGISTRIES: 'vies,hmrc,bzst',
    HMRC_URL: registry.url,
    HMRC_CLIENT_ID: 'bench',
    HMRC_CLIENT_SECRET: 'bench',
    HMRC_CONTROL: '220430231',
  };
  const keys = { alone: createKey(alone), all: createKey(all) };
  const logOf = (name: string) => join(folder.path, `${name}.log`);
  await using first = await startServe(alone, { core: serverCore, logFile: logOf('alone') });
  await using second = await startServe(all, { core: serverCore, logFile: logOf('all') });
  const urls = { alone: first.apiUrl, all: second.apiUrl };
  const dispatcher = new Agent({ connections: 1 });

  let number = 100_000_000;
  const check = async (service: 'alone' | 'all', country: 'FR' | 'GB'): Promise<number> => {
    number += 1;
    const startedMs = performance.now();
    const response = await request(`${urls[service]}/vatcheck/${country}/${number}`, {
      dispatcher,
      headers: { authorization: `Bearer ${keys[service]}` },
    });
    const body = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}: ${body}`);
    return performance.now() - startedMs - registry.lastMsOf(country);
  };

  const added = { hmrc: [], vies: [], alone: [], all: [] } as Record<string, number[][]>;
  for (const service of ['alone', 'all'] as const) {
    for (let n = 0; n < 200; n += 1) await check(service, 'FR');
  }
  for (let round = 0; round < rounds; round += 1) {
    const paced = { hmrc: [] as number[], vies: [] as number[] };
    for (let n = 0; n < checks; n += 1) {
      await wait(everyMs);
      paced.hmrc.push(await check('all', 'GB'));
      await wait(everyMs);
      paced.vies.push(await check('all', 'FR'));
    }
    const swift = { alone: [] as number[], all: [] as number[] };
    for (let n = 0; n < 10 * checks; n += 1) {
      swift.alone.push(await check('alone', 'FR'));
      swift.all.push(await check('all', 'FR'));
    }
    for (const [name, values] of Object.entries({ ...paced, ...swift })) added[name]?.push(values);
  }
  await dispatcher.close();
  registry.close();

  const rows = [
    ['hmrc', 'check at HMRC adds, at its pace', true],
    ['vies', 'check at VIES adds, at the same pace', false],
    ['all', 'check at VIES adds, three registries enabled', true],
    ['alone', 'check at VIES adds, VIES alone', false],
  ] as const;
  return rows.flatMap(([name, what, hasGoal]) =>
    ([0.5, 0.99] as const).map((share) => ({
      name: `P22 ${what}, p${share * 100}`,
      rounds: (added[name] ?? []).map((values) => quantile(values, share)),
      unit: 'ms',
      goal: hasGoal ? goals.P7[share === 0.5 ? 'p50' : 'p99'] : '—',
    })),
  );
}
